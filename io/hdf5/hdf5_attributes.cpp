#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>

namespace ricochet {

namespace {

/// An open attribute with its extent.
struct Attribute {
  H5Id id;
  H5Id type;
  std::size_t size{0};
  std::string label;
};

std::string attributeLabel(const H5File& file, std::string_view object, std::string_view name) {
  return labelOfObject(file, object) + "@" + std::string{name};
}

Attribute openAttribute(const H5File& file, std::string_view object, std::string_view name) {
  Attribute found;
  found.label = attributeLabel(file, object, name);
  isObjectInFile(file, object);
  const hid_t attribute = H5Aopen_by_name(file.id().get(), std::string{object}.c_str(),
                                          std::string{name}.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  found.id = H5Id(checkHdf5Result(attribute, found.label, "open"), H5Aclose);
  found.type = H5Id(checkHdf5Result(H5Aget_type(found.id.get()), found.label, "read"), H5Tclose);
  const H5Id space(checkHdf5Result(H5Aget_space(found.id.get()), found.label, "read"), H5Sclose);
  found.size = static_cast<std::size_t>(
      checkHdf5Result(H5Sget_simple_extent_npoints(space.get()), found.label, "read"));
  return found;
}

/// Throws if an attribute needs more memory than a file can store in an attribute.
void requireAttributeFits(const Attribute& found, std::size_t valueBytes) {
  if (found.size > 0 && H5Aget_storage_size(found.id.get()) / found.size < valueBytes)
    throw ResultError(found.label + ": says that it is larger than it is: the file is damaged");
}

void createAttribute(const H5Id& owner, std::string_view name, hid_t fileType, hid_t memoryType,
                     const H5Shape& shape, const void* values, std::string_view label) {
  const std::string key{name};
  const H5Id space = createDataspace(shape, label);
  const H5Id properties(checkHdf5Result(H5Pcreate(H5P_ATTRIBUTE_CREATE), label, "create"), H5Pclose);
  checkHdf5Result(H5Pset_char_encoding(properties.get(), H5T_CSET_UTF8), label, "create");
  const hid_t created =
      H5Acreate2(owner.get(), key.c_str(), fileType, space.get(), properties.get(), H5P_DEFAULT);
  const H5Id attribute(checkHdf5Result(created, label, "create"), H5Aclose);
  if (elementCountOf(shape) > 0)
    checkHdf5Result(H5Awrite(attribute.get(), memoryType, values), label, "write");
}

void writeAttribute(const H5File& file, std::string_view object, std::string_view name, hid_t fileType,
                    hid_t memoryType, const H5Shape& shape, const void* values) {
  const std::string label = attributeLabel(file, object, name);
  const H5Id owner = openObject(file, object);
  const std::string key{name};
  if (checkHdf5Result(H5Aexists(owner.get(), key.c_str()), label, "look up") > 0)
    checkHdf5Result(H5Adelete(owner.get(), key.c_str()), label, "replace");
  createAttribute(owner, name, fileType, memoryType, shape, values, label);
}

void createTextAttribute(const H5Id& owner, std::string_view name, const std::string& text,
                         std::string_view label) {
  const std::size_t length = std::max<std::size_t>(text.size(), 1);
  const H5Id type = stringType(length);
  createAttribute(owner, name, type.get(), type.get(), {},
                  concatenatedStrings(std::span(&text, 1), length).data(), label);
}

template <H5Number T>
std::vector<T> readAttribute(const H5File& file, std::string_view object, std::string_view name) {
  const Attribute found = openAttribute(file, object, name);
  requireAttributeFits(found, H5Tget_size(found.type.get()));
  std::vector<T> values(found.size);
  if (!values.empty())
    checkHdf5Result(H5Aread(found.id.get(), memoryType<T>(), values.data()), found.label, "read");
  return values;
}

template <class T>
T onlyValueOfAttribute(const std::vector<T>& values, const std::string& label) {
  if (values.size() != 1)
    throw ResultError(label + ": holds " + std::to_string(values.size()) + " values, not one");
  return values.front();
}

}  // namespace

void H5File::setAttribute(std::string_view object, std::string_view name, std::string_view value) const {
  const std::string text{value};
  const std::size_t length = std::max<std::size_t>(text.size(), 1);
  const H5Id type = stringType(length);
  writeAttribute(*this, object, name, type.get(), type.get(), {},
                 concatenatedStrings(std::span(&text, 1), length).data());
}

void H5File::setAttribute(std::string_view object, std::string_view name, double value) const {
  writeAttribute(*this, object, name, fileType<double>(), memoryType<double>(), {}, &value);
}

void H5File::setIntegerAttribute(std::string_view object, std::string_view name, std::int64_t value) const {
  writeAttribute(*this, object, name, fileType<std::int64_t>(), memoryType<std::int64_t>(), {}, &value);
}

void H5File::setAttribute(std::string_view object, std::string_view name,
                          std::span<const double> values) const {
  writeAttribute(*this, object, name, fileType<double>(), memoryType<double>(), {values.size()},
                 values.data());
}

void H5File::setAttribute(std::string_view object, std::string_view name,
                          std::span<const std::int64_t> values) const {
  writeAttribute(*this, object, name, fileType<std::int64_t>(), memoryType<std::int64_t>(), {values.size()},
                 values.data());
}

void H5File::setAttribute(std::string_view object, std::string_view name,
                          std::span<const std::string> values) const {
  const std::size_t length = lengthOfLongestString(values);
  const H5Id type = stringType(length);
  writeAttribute(*this, object, name, type.get(), type.get(), {values.size()},
                 concatenatedStrings(values, length).data());
}

void H5File::removeAttribute(std::string_view object, std::string_view name) const {
  isObjectInFile(*this, object);
  checkHdf5Result(
      H5Adelete_by_name(id_.get(), std::string{object}.c_str(), std::string{name}.c_str(), H5P_DEFAULT),
      attributeLabel(*this, object, name), "remove");
}

bool H5File::hasAttribute(std::string_view object, std::string_view name) const {
  isObjectInFile(*this, object);
  const htri_t found =
      H5Aexists_by_name(id_.get(), std::string{object}.c_str(), std::string{name}.c_str(), H5P_DEFAULT);
  return checkHdf5Result(found, attributeLabel(*this, object, name), "look up") > 0;
}

std::vector<std::string> H5File::stringsAttribute(std::string_view object, std::string_view name) const {
  const Attribute found = openAttribute(*this, object, name);
  const std::size_t length = stringLength(found.type, found.label);
  requireAttributeFits(found, length);
  std::vector<char> bytes(found.size * length);
  if (!bytes.empty())
    checkHdf5Result(H5Aread(found.id.get(), found.type.get(), bytes.data()), found.label, "read");
  return splitStrings(bytes, length);
}

std::string H5File::stringAttribute(std::string_view object, std::string_view name) const {
  return onlyValueOfAttribute(stringsAttribute(object, name), attributeLabel(*this, object, name));
}

std::vector<std::string> H5File::attributes(std::string_view object) const {
  const H5Id opened = openObject(*this, object);
  std::vector<std::string> names;
  hsize_t next = 0;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* found) {
    static_cast<std::vector<std::string>*>(found)->emplace_back(name);
    return herr_t{0};
  };
  checkHdf5Result(H5Aiterate2(opened.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &next, add, &names),
                  labelOfObject(*this, object), "list the attributes of it");
  std::ranges::sort(names);
  return names;
}

bool H5File::isTextAttribute(std::string_view object, std::string_view name) const {
  return H5Tget_class(openAttribute(*this, object, name).type.get()) == H5T_STRING;
}

double H5File::numberAttribute(std::string_view object, std::string_view name) const {
  return onlyValueOfAttribute(readAttribute<double>(*this, object, name),
                              attributeLabel(*this, object, name));
}

std::int64_t H5File::integerAttribute(std::string_view object, std::string_view name) const {
  return onlyValueOfAttribute(readAttribute<std::int64_t>(*this, object, name),
                              attributeLabel(*this, object, name));
}

std::vector<double> H5File::numbersAttribute(std::string_view object, std::string_view name) const {
  return readAttribute<double>(*this, object, name);
}

void writeMeaningAttributes(const H5Id& dataset, const Meaning& meaning, std::string_view object) {
  createTextAttribute(dataset, "units", meaning.units, object);
  createTextAttribute(dataset, "long_name", meaning.longName, object);
}

}  // namespace ricochet
