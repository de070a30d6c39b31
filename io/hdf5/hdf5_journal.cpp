#include "io/hdf5/hdf5_journal.hpp"

#include "io/hdf5/hdf5_detail.hpp"
#include "io/hdf5/rollback_journal.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace ricochet {
namespace {

/// An open file of the driver; HDF5 uses the base class only.
struct Driver : H5FD_t {
  Driver(int opened, const std::string& path) : H5FD_t{}, file(opened), journal(opened, path + ".journal") {}
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  Driver(Driver&&) = delete;
  Driver& operator=(Driver&&) = delete;
  ~Driver() { ::close(file); }

  int file;
  RollbackJournal journal;
  haddr_t end{0};   // end of the allocated space
  haddr_t size{0};  // size of the file
  int failure{0};   // errno of a failed write, after which nothing is written any more
  bool readsOnly{false};
  // for a reader: the content at the last commit, if a writer left the file unfinished
  std::optional<Rollback> committed;
};

Driver& driverOfFile(H5FD_t* file) { return *static_cast<Driver*>(file); }
const Driver& driverOfFile(const H5FD_t* file) { return *static_cast<const Driver*>(file); }

const char* textOfSystemError(int error) {
  switch (error) {
    case EWOULDBLOCK:
      return JournaledFile::kInUse.data();
    case ELOOP:
      return "it is a symbolic link, and nothing is written through one";
    case EMLINK:
      return "it has another name too (a hard link), which would be written with it";
    case ENODEV:
      return "it is no plain file";
    case EBADMSG:
      return "the journal beside it is that of another file; remove the journal";
    default:
      return std::strerror(error);
  }
}

/// Puts the error of the system on the error stack of HDF5.
herr_t reportSystemErrorToHdf5(hid_t what) {
  const char* reason = textOfSystemError(errno);
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, what, "%s", reason);
  return -1;
}

/// Handles a write that the system refuses: restores the last commit and ends writing. HDF5 gets one error;
/// its further writes while closing are dropped.
herr_t restoreLastCommitAfterFailure(Driver& d) {
  const int reason = errno != 0 ? errno : EIO;
  const herr_t told = reportSystemErrorToHdf5(H5E_WRITEERROR);
  d.failure = reason;
  if (d.journal.rollBack()) d.journal.remove();
  return told;
}

/// Takes the lock unless another writer has it (EWOULDBLOCK). Some file systems of clusters do not support
/// locks.
bool tryLockFile(int file, int kind) {
  return flock(file, kind | LOCK_NB) == 0 || errno == ENOSYS || errno == EOPNOTSUPP;
}

/// True if the name still refers to the open file: an earlier writer with the lock may have renamed the file.
bool doesNameReferToFile(int file, const char* name) {
  struct stat open {
  }, named{};
  return fstat(file, &open) == 0 && stat(name, &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// Takes the lock for writing; false if another program writes the file or has renamed it meanwhile.
bool lockForWriting(int file, const char* name) {
  if (!tryLockFile(file, LOCK_EX)) return false;
  if (doesNameReferToFile(file, name)) return true;
  errno = EWOULDBLOCK;
  return false;
}

/// Selects how a reader finds the file of a running writer: as at its last commit, or as it is.
enum class Writers { killed, killedOrAtWork };

/// Content of a file at its last commit, if a killed writer left later changes or a writer is at work. Empty
/// if the journal belongs to another file. A writer at work may commit while the file is read: see
/// JournalStamp.
std::optional<Rollback> contentAtLastCommit(int file, const std::string& name, Writers writers) {
  std::optional<Rollback> found;
  const int journal = ::open((name + ".journal").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (journal < 0) return found;
  if (isPlainFileWithOneName(journal)) {
    const bool isLocked = tryLockFile(file, LOCK_SH);
    const bool isAsked = isLocked || writers == Writers::killedOrAtWork;
    if (isAsked && !RollbackJournal::read(journal, file, found)) found.reset();
    if (isLocked) flock(file, LOCK_UN);
  }
  ::close(journal);
  return found;
}

H5FD_t* openFile(const char* name, unsigned flags, hid_t, haddr_t) {
  const bool writes = (flags & H5F_ACC_RDWR) != 0;
  // O_NONBLOCK: opening a pipe would wait
  int mode = (writes ? O_RDWR | O_NOFOLLOW : O_RDONLY) | O_CLOEXEC | O_NONBLOCK;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  const int file = ::open(name, mode, 0666);
  if (file < 0) {
    reportSystemErrorToHdf5(H5E_CANTOPENFILE);
    return nullptr;
  }
  auto d = std::make_unique<Driver>(file, name);
  d->readsOnly = !writes;
  // a file that another program is writing must not be rolled back or truncated
  const bool partial = JournaledFile::hasTemporaryName(name);
  bool ready = !writes || (isPlainFileWithOneName(file) && lockForWriting(file, name));
  if (ready && (flags & H5F_ACC_TRUNC) != 0) {
    d->journal.remove();  // leaves a file that is no journal, which is refused below
    // ext4 writes a file that was ever truncated to zero to the disk when it is closed, which is slow
    struct stat old {};
    ready = fstat(file, &old) == 0 && (old.st_size == 0 || ftruncate(file, 0) == 0);
  }
  ready = ready && (!writes || d->journal.open(partial));
  struct stat found {};
  if (!ready || fstat(file, &found) != 0) {
    reportSystemErrorToHdf5(H5E_CANTOPENFILE);
    return nullptr;
  }
  if (found.st_size == 0 && (flags & (H5F_ACC_CREAT | H5F_ACC_TRUNC)) == 0) {
    errno = ENODATA;  // HDF5 would otherwise create a new file in an empty file
    reportSystemErrorToHdf5(H5E_CANTOPENFILE);
    return nullptr;
  }
  d->size = static_cast<haddr_t>(found.st_size);
  if (!writes && partial) d->committed = contentAtLastCommit(file, name, Writers::killedOrAtWork);
  if (d->committed) d->size = d->committed->size;
  return d.release();
}

herr_t closeFile(H5FD_t* file) {
  Driver& d = driverOfFile(file);
  // all data have been written by closing
  if (!d.readsOnly && d.failure == 0) d.journal.remove();
  delete &d;
  return 0;
}

int compareFiles(const H5FD_t* a, const H5FD_t* b) {
  struct stat first {
  }, second{};
  fstat(driverOfFile(a).file, &first);
  fstat(driverOfFile(b).file, &second);
  if (first.st_dev != second.st_dev) return first.st_dev < second.st_dev ? -1 : 1;
  if (first.st_ino != second.st_ino) return first.st_ino < second.st_ino ? -1 : 1;
  return 0;
}

herr_t queryDriverFeatures(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t endOfAllocatedSpace(const H5FD_t* file, H5FD_mem_t) { return driverOfFile(file).end; }
haddr_t fileEnd(const H5FD_t* file, H5FD_mem_t) { return driverOfFile(file).size; }

herr_t setAllocatedEnd(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  driverOfFile(file).end = end;
  return 0;
}

herr_t systemHandleOfFile(H5FD_t* file, hid_t, void** handle) {
  *handle = file;
  return 0;
}

herr_t readBytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* data) {
  const Driver& d = driverOfFile(file);
  const bool read =
      d.committed ? d.committed->readAt(d.file, data, size, address) : readAt(d.file, data, size, address);
  return read ? 0 : reportSystemErrorToHdf5(H5E_READERROR);
}

herr_t writeBytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* data) {
  Driver& d = driverOfFile(file);
  if (d.failure != 0) return 0;
  if (!d.journal.saveOriginalRegion(address, size) || !writeAt(d.file, data, size, address))
    return restoreLastCommitAfterFailure(d);
  d.size = std::max(d.size, address + size);
  return 0;
}

herr_t truncateToAllocatedSpace(H5FD_t* file, hid_t, hbool_t) {
  Driver& d = driverOfFile(file);
  if (d.failure != 0 || d.readsOnly || d.size == d.end) return 0;
  const std::uint64_t lost = d.size > d.end ? d.size - d.end : 0;
  if (!d.journal.saveOriginalRegion(d.end, lost) || ftruncate(d.file, static_cast<off_t>(d.end)) != 0)
    return restoreLastCommitAfterFailure(d);
  d.size = d.end;
  return 0;
}

const H5FD_class_t& fileDriverClass() {
  static const H5FD_class_t made = [] {
    H5FD_class_t c{};
    c.name = "ricochet_journal";
    c.maxaddr = static_cast<haddr_t>(1) << 62U;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.open = openFile;
    c.close = closeFile;
    c.cmp = compareFiles;
    c.query = queryDriverFeatures;
    c.get_eoa = endOfAllocatedSpace;
    c.set_eoa = setAllocatedEnd;
    c.get_eof = fileEnd;
    c.get_handle = systemHandleOfFile;
    c.read = readBytes;
    c.write = writeBytes;
    c.truncate = truncateToAllocatedSpace;
    constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), c.fl_map);
    return c;
  }();
  return made;
}

Driver& openDriver(const H5Id& file, const std::string& name) {
  void* handle = nullptr;
  checkHdf5Result(H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle), name, "find its driver");
  return driverOfFile(static_cast<H5FD_t*>(handle));
}

}  // namespace

void JournaledFile::selectJournalDriver(const H5Id& access) {
  static const hid_t driver =
      checkHdf5Result(H5FDregister(&fileDriverClass()), "HDF5", "register a file driver");
  checkHdf5Result(H5Pset_driver(access.get(), driver, nullptr), "HDF5", "choose a file driver");
}

void JournaledFile::commit(const H5Id& file, const std::string& name) {
  Driver& d = openDriver(file, name);
  // HDF5 does not report every failed write
  if (d.failure != 0) throw ResultError(name + ": cannot write: " + std::strerror(d.failure));
  struct stat found {};
  if (fstat(d.file, &found) == 0 && found.st_nlink == 0)
    throw ResultError(name + ": was removed while it was written");
  if (!d.journal.commit(d.size)) throw ResultError(name + ": cannot flush: " + std::strerror(errno));
}

std::uint64_t JournaledFile::committedSize(const std::filesystem::path& path) noexcept {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat found {};
  const bool opened = file >= 0 && fstat(file, &found) == 0;
  std::uint64_t size = opened ? static_cast<std::uint64_t>(found.st_size) : 0;
  if (opened && hasTemporaryName(path))
    if (const auto committed = contentAtLastCommit(file, path.string(), Writers::killed))
      size = committed->size;
  if (file >= 0) ::close(file);
  return size;
}

bool JournaledFile::isOpenForWriting(const std::filesystem::path& path) noexcept {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const bool isFree = tryLockFile(file, LOCK_SH) || errno != EWOULDBLOCK;
  ::close(file);
  return !isFree;
}

void JournaledFile::removeEmptyFile(const std::filesystem::path& path) noexcept {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  struct stat found {};
  if (lockForWriting(file, path.c_str()) && fstat(file, &found) == 0 && found.st_size == 0) {
    unlink(path.c_str());
    removeJournal(path);
  }
  ::close(file);
}

std::optional<JournalStamp> JournaledFile::readJournalStamp(const std::filesystem::path& file) noexcept {
  struct stat found {};
  if (stat(pathOfJournal(file).c_str(), &found) != 0) return std::nullopt;
  return JournalStamp{static_cast<std::uint64_t>(found.st_size), found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

FileLock JournaledFile::lockOfFile(const H5Id& file, const std::string& name) {
  return FileLock(::fcntl(openDriver(file, name).file, F_DUPFD_CLOEXEC, 0));
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool JournaledFile::hasForeignFileAsJournal(const std::filesystem::path& file) noexcept {
  return RollbackJournal::isForeignFile(pathOfJournal(file).string());
}

void JournaledFile::removeJournal(const std::filesystem::path& file) noexcept {
  RollbackJournal::remove(pathOfJournal(file).string());
}

bool JournaledFile::hasTemporaryName(const std::filesystem::path& file) noexcept {
  return std::string_view(file.native()).ends_with(".partial");
}

std::filesystem::path JournaledFile::pathOfJournal(const std::filesystem::path& file) {
  return file.string() + ".journal";
}

}  // namespace ricochet
