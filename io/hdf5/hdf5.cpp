#include "io/hdf5/hdf5.hpp"

#include "io/hdf5/hdf5_detail.hpp"
#include "io/hdf5/hdf5_journal.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <random>
#include <system_error>
#include <type_traits>

namespace ricochet {

static_assert(std::is_same_v<H5Id::Handle, hid_t> && std::is_same_v<int, herr_t>);

namespace {

/// Keeps the innermost entry of the error stack, which is the most specific.
herr_t keepInnermostError(unsigned, const H5E_error2_t* error, void* reason) {
  auto& text = *static_cast<std::string*>(reason);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

H5Id fileAccessProperties(std::string_view file, Journal journal) {
  H5Id access(checkHdf5Result(H5Pcreate(H5P_FILE_ACCESS), file, "open"), H5Pclose);
  if (journal == Journal::keep) JournaledFile::selectJournalDriver(access);

  // Metadata are written in flushes only: between flushes the file is unchanged.
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checkHdf5Result(H5Pget_mdc_config(access.get(), &cache), file, "open");
  cache.evictions_enabled = 0;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  checkHdf5Result(H5Pset_mdc_config(access.get(), &cache), file, "open");

  // A superblock of version 2 has a checksum but, unlike that of 1.10, no mark of an open writer.
  checkHdf5Result(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V110), file, "open");
  return access;
}

/// Enables checksums for all data after the superblock: headers and chunk indices.
H5Id withChecksums(H5Id file, const std::string& name) {
  checkHdf5Result(H5Fset_libver_bounds(file.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), name, "open");
  return file;
}

/// Creation properties of a file: the root group has no creation time.
H5Id fileCreationProperties(Types types) {
  H5Id properties(checkHdf5Result(H5Pcreate(H5P_FILE_CREATE), "HDF5", "make file properties"), H5Pclose);
  checkHdf5Result(H5Pset_obj_track_times(properties.get(), 0), "HDF5", "make file properties");
  if (types == Types::repeat) return properties;
  // A list of a few types is a short table; a reference to a type takes 10 bytes.
  constexpr unsigned kLeastBytes = 12, kMostListed = 50;
  checkHdf5Result(H5Pset_shared_mesg_nindexes(properties.get(), 1), "HDF5", "share types");
  checkHdf5Result(H5Pset_shared_mesg_index(properties.get(), 0, H5O_SHMESG_DTYPE_FLAG, kLeastBytes), "HDF5",
                  "share types");
  checkHdf5Result(H5Pset_shared_mesg_phase_change(properties.get(), kMostListed, kMostListed / 2), "HDF5",
                  "share types");
  return properties;
}

/// Stores a random id that distinguishes a file from every other, also of the same run; the journal belongs
/// to the file with its id. The id is the comment of the root group, because data and attributes of equal
/// runs must be equal; set before all attributes, it stays in the first part of the group's header, among the
/// first bytes.
void storeRandomFileId(const H5Id& file, const std::string& name) {
  std::random_device device;
  std::uint64_t bits = device();
  bits = bits << 32U | device();
  checkHdf5Result(H5Oset_comment(file.get(), fmt::format("id {:016x}", bits).c_str()), name, "create");
}

/// Creation properties of groups. The links and attributes of a group lie in its header up to these numbers;
/// a heap and an index, which HDF5 makes beyond 8 of them by default, take some kB however few they hold.
H5Id groupProperties(std::size_t roomBytes) {
  constexpr unsigned kMostLinks = 24, kMostAttributes = 64;
  H5Id properties(checkHdf5Result(H5Pcreate(H5P_GROUP_CREATE), "HDF5", "make group properties"), H5Pclose);
  checkHdf5Result(H5Pset_obj_track_times(properties.get(), 0), "HDF5", "make group properties");
  checkHdf5Result(H5Pset_link_phase_change(properties.get(), kMostLinks, kMostLinks / 2), "HDF5",
                  "make group properties");
  checkHdf5Result(H5Pset_attr_phase_change(properties.get(), kMostAttributes, kMostAttributes / 2), "HDF5",
                  "make group properties");
  // HDF5 reserves room for a number of links with names of some length; attributes use it too.
  if (roomBytes > 0)
    checkHdf5Result(H5Pset_est_link_info(properties.get(), 1, static_cast<unsigned>(roomBytes)), "HDF5",
                    "make group properties");
  return properties;
}

std::string innermostErrorReason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermostError, &reason);
  return reason;
}

/// Wraps a file that HDF5 opened or created; a lock of another program gives a separate error.
H5Id checkedFileHandle(hid_t file, const std::string& name, std::string_view action) {
  if (file < 0 && innermostErrorReason() == JournaledFile::kInUse)
    throw FileInUse(name + ": " + std::string{JournaledFile::kInUse});
  return {checkHdf5Result(file, name, action), H5Fclose};
}

}  // namespace

void disableErrorOutput() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

void throwResultError(std::string_view object, std::string_view action) {
  const std::string reason = innermostErrorReason();
  std::string text = std::string{object} + ": cannot " + std::string{action};
  if (!reason.empty()) text += ": " + reason;
  throw ResultError(text);
}

std::string labelOfObject(const H5File& file, std::string_view path) {
  return file.name() + ":" + std::string{path};
}

bool isObjectInFile(const H5File& file, std::string_view path) {
  const std::string whole{path};
  if (whole == ".") return true;
  std::size_t end = whole.find_first_not_of('/');
  while (end != std::string::npos && end < whole.size()) {
    end = std::min(whole.find('/', end), whole.size());
    const std::string part = whole.substr(0, end), label = labelOfObject(file, part);
    H5L_info_t link{};
    if (H5Lget_info(file.id().get(), part.c_str(), &link, H5P_DEFAULT) < 0) {
      if (checkHdf5Result(H5Lexists(file.id().get(), part.c_str(), H5P_DEFAULT), label, "look up") == 0)
        return false;
      throwResultError(label, "look up");
    }
    if (link.type != H5L_TYPE_HARD)
      throw ResultError(label + ": is a link to another place, which is not followed");
    end = whole.find_first_not_of('/', end);
  }
  return true;
}

void requireValuesInSameFile(const H5Id& dataset, std::string_view object) {
  const H5Id properties(checkHdf5Result(H5Dget_create_plist(dataset.get()), object, "open"), H5Pclose);
  if (H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) != 0)
    throw ResultError(std::string{object} + ": its values lie in another file, which is not read");
}

H5Id openObject(const H5File& file, std::string_view path) {
  isObjectInFile(file, path);
  const hid_t object = H5Oopen(file.id().get(), std::string{path}.c_str(), H5P_DEFAULT);
  return {checkHdf5Result(object, labelOfObject(file, path), "open"), H5Oclose};
}

H5Id openDataset(const H5File& file, std::string_view path, const H5Id& access) {
  isObjectInFile(file, path);
  const hid_t opened =
      H5Dopen2(file.id().get(), std::string{path}.c_str(), access ? access.get() : H5P_DEFAULT);
  H5Id dataset(checkHdf5Result(opened, labelOfObject(file, path), "open"), H5Dclose);
  requireValuesInSameFile(dataset, labelOfObject(file, path));
  return dataset;
}

void createGroupWithParents(const H5File& file, std::string_view path, std::size_t roomBytes) {
  const H5Id links = linkProperties();
  for (std::size_t end = path.find_first_not_of('/'); end < path.size();) {
    end = std::min(path.find('/', end), path.size());
    const std::string part{path.substr(0, end)};
    end = path.find_first_not_of('/', end);
    if (isObjectInFile(file, part)) continue;
    const H5Id properties = groupProperties(end < path.size() ? 0 : roomBytes);
    const hid_t group = H5Gcreate2(file.id().get(), part.c_str(), links.get(), properties.get(), H5P_DEFAULT);
    const H5Id created(checkHdf5Result(group, labelOfObject(file, part), "create"), H5Gclose);
  }
}

void createParentGroups(const H5File& file, std::string_view path) {
  const std::size_t end = path.rfind('/');
  if (end != std::string_view::npos) createGroupWithParents(file, path.substr(0, end));
}

H5Id linkProperties() {
  H5Id links(checkHdf5Result(H5Pcreate(H5P_LINK_CREATE), "HDF5", "make link properties"), H5Pclose);
  checkHdf5Result(H5Pset_char_encoding(links.get(), H5T_CSET_UTF8), "HDF5", "make link properties");
  return links;
}

// ---- files ----

H5File H5File::create(const std::filesystem::path& path, Existing existing, Journal journal, Types types) {
  disableErrorOutput();
  const std::string name = path.string();
  std::error_code ignored;
  if (existing == Existing::refuse && std::filesystem::exists(path, ignored))
    throw ResultError(name + ": cannot create: the file exists");
  const H5Id access = fileAccessProperties(name, journal);
  const hid_t file = H5Fcreate(name.c_str(), existing == Existing::refuse ? H5F_ACC_EXCL : H5F_ACC_TRUNC,
                               fileCreationProperties(types).get(), access.get());
  H5Id created = withChecksums(checkedFileHandle(file, name, "create"), name);
  if (journal == Journal::keep) storeRandomFileId(created, name);
  return {name, std::move(created), journal};
}

H5File H5File::open(const std::filesystem::path& path, Access access, Journal journal) {
  disableErrorOutput();
  const std::string name = path.string();
  std::error_code absent;
  if (std::filesystem::exists(path, absent) && !std::filesystem::is_regular_file(path, absent))
    throw ResultError(name + ": cannot open: it is no plain file");
  const bool looksBack = access == Access::read && JournaledFile::hasTemporaryName(path);
  const H5Id properties = fileAccessProperties(name, looksBack ? Journal::keep : journal);
  const hid_t file =
      H5Fopen(name.c_str(), access == Access::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, properties.get());
  H5Id opened = checkedFileHandle(file, name, "open");
  if (access == Access::readWrite) opened = withChecksums(std::move(opened), name);
  return {name, std::move(opened), journal};
}

void H5File::flush() const {
  checkHdf5Result(H5Fflush(id_.get(), H5F_SCOPE_GLOBAL), name_, "flush");
  if (journal_ == Journal::keep) JournaledFile::commit(id_, name_);
}

FileLock H5File::lock() const {
  return journal_ == Journal::keep ? JournaledFile::lockOfFile(id_, name_) : FileLock{};
}

void H5File::close() {
  if (!id_) return;
  flush();
  if (!id_.close()) throwResultError(name_, "close");
}

// ---- groups and links ----

bool H5File::exists(std::string_view path) const { return isObjectInFile(*this, path); }

bool H5File::isDataset(std::string_view path) const {
  return H5Iget_type(openObject(*this, path).get()) == H5I_DATASET;
}

std::uint64_t H5File::addressOfObject(std::string_view path) const {
  H5O_info_t found{};
  checkHdf5Result(H5Oget_info1(openObject(*this, path).get(), &found), labelOfObject(*this, path), "look up");
  return found.addr;
}

std::vector<std::string> H5File::namesOfGroupMembers(std::string_view group) const {
  const std::string label = labelOfObject(*this, group);
  const H5Id object = openObject(*this, group);
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* found) {
    static_cast<std::vector<std::string>*>(found)->emplace_back(name);
    return herr_t{0};
  };
  // With a specified order, HDF5 1.10 first builds a table, which it frees incorrectly if the group is
  // damaged.
  checkHdf5Result(H5Literate(object.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names), label,
                  "list");
  std::ranges::sort(names);
  return names;
}

void H5File::createGroup(std::string_view path) const { createGroupWithParents(*this, path); }

void H5File::createGroup(std::string_view path, std::size_t roomBytes) const {
  createGroupWithParents(*this, path, roomBytes);
}

void H5File::remove(std::string_view path) const {
  checkHdf5Result(H5Ldelete(id_.get(), std::string{path}.c_str(), H5P_DEFAULT), labelOfObject(*this, path),
                  "remove");
}

void H5File::linkObject(std::string_view path, std::string_view object) const {
  createParentGroups(*this, path);
  const H5Id links = linkProperties();
  checkHdf5Result(H5Lcreate_hard(id_.get(), std::string{object}.c_str(), id_.get(), std::string{path}.c_str(),
                                 links.get(), H5P_DEFAULT),
                  labelOfObject(*this, path), "link to " + std::string{object});
}

// ---- dimension scales ----

void H5File::makeDatasetScale(std::string_view dataset, std::string_view axisName) const {
  const H5Id axis = openDataset(*this, dataset);
  const std::string label = labelOfObject(*this, dataset);
  if (shapeOfStoredDataset(axis, label).size() != 1) throw ResultError(label + ": an axis has one dimension");
  checkHdf5Result(H5DSset_scale(axis.get(), std::string{axisName}.c_str()), label, "make an axis");
}

void H5File::attachScale(std::string_view dataset, std::string_view scale, unsigned dimension) const {
  const H5Id labelled = openDataset(*this, dataset);
  const H5Id axis = openDataset(*this, scale);
  checkHdf5Result(H5DSattach_scale(labelled.get(), axis.get(), dimension), labelOfObject(*this, dataset),
                  "attach the axis " + std::string{scale});
}

bool H5File::isScaleAttached(std::string_view dataset, std::string_view scale, unsigned dimension) const {
  const H5Id labelled = openDataset(*this, dataset);
  const H5Id axis = openDataset(*this, scale);
  return checkHdf5Result(H5DSis_attached(labelled.get(), axis.get(), dimension),
                         labelOfObject(*this, dataset), "look at its axes") > 0;
}

}  // namespace ricochet
