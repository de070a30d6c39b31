#include "io/hdf5/hdf5_group.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>
#include <span>

namespace ricochet {
namespace {

// Bytes of the parts of a header of HDF5 (HDF5 File Format Specification 3.0, IV.A).
constexpr std::size_t kMessage = 4;                // head of a message
constexpr std::size_t kAttribute = kMessage + 10;  // head of an attribute and the end of its name
constexpr std::size_t kLink = kMessage + 12;       // link to an object, without its name
constexpr std::size_t kAttributeInfo = kMessage + 18;
constexpr std::size_t kSingle = 4, kList = 20;  // dataspaces: of one value, of a list
constexpr std::size_t kNumberType = 20, kSharedType = 10, kStringType = 8;
// HDF5 reserves room for links itself, one at least.
constexpr std::size_t kOneLink = kLink - 1;

bool doesFileShareTypes(const H5File& file) {
  const H5Id properties(checkHdf5Result(H5Fget_create_plist(file.id().get()), file.name(), "look up"),
                        H5Pclose);
  unsigned indices = 0;
  checkHdf5Result(H5Pget_shared_mesg_nindexes(properties.get(), &indices), file.name(), "look up");
  return indices > 0;
}

std::size_t byteCountOfValue(double, std::size_t type) { return type + kSingle + sizeof(double); }
std::size_t byteCountOfValue(const std::string& text, std::size_t) {
  return kStringType + kSingle + std::max<std::size_t>(text.size(), 1);
}
std::size_t byteCountOfValue(const std::vector<double>& values, std::size_t type) {
  return type + kList + values.size() * sizeof(double);
}

}  // namespace

void NewGroup::reserveNumber(std::string_view name) {
  ++numbers_;
  laterBytes_ += kAttribute + name.size();
}

void NewGroup::reserveLink(std::string_view name) { laterBytes_ += kLink + name.size(); }

void NewGroup::create(const H5File& file) const {
  const std::size_t type = doesFileShareTypes(file) ? kSharedType : kNumberType;
  std::size_t room = kAttributeInfo - kOneLink + laterBytes_ + numbers_ * byteCountOfValue(0.0, type);
  for (const auto& [name, value] : attributes_)
    room += kAttribute + name.size() +
            std::visit([&](const auto& v) { return byteCountOfValue(v, type); }, value);
  file.createGroup(path_, room);
  for (const auto& [name, value] : attributes_)
    std::visit([&, &attribute = name](const auto& v) { file.setAttribute(path_, attribute, v); }, value);
}

}  // namespace ricochet
