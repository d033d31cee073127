// SPDX-License-Identifier: MIT
// Loaded ahead of the C library (LD_PRELOAD): counts the calls that change files whose path begins with FAULT_PATH, and
// does harm at one of them.
//
//   FAULT_PATH   absolute path; files whose path begins with it are looked at
//   FAULT_RANK   harm is done only in the process that is this rank under Open MPI or MPICH; in any if it is not set
//   FAULT_LOG    a file that gains a line for each call that has returned: number, name, bytes, path
//   FAULT_AT     the number of the call at which harm is done, counted from 1 in each process
//   FAULT_UNTIL  the last one, where several calls fail; default FAULT_AT
//   FAULT_CALLS  names of calls that may fail, separated by commas; default: all. Others pass, though they are counted
//   FAULT_DO     kill (SIGKILL), term (SIGTERM, and the call goes on), short (a write takes only a part), or the name
//                of an error: ENOSPC EIO EROFS EACCES ENOENT EDQUOT
//   FAULT_PART   of a write that is killed or cut short: how much of it is done before: none, one, half, last (all but
//                one byte). Default none
//   FAULT_LOCKS  if set, the file system has no locks: every flock and fcntl lock on one of these files fails with
//   ENOLCK
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

std::string_view setting(const char* name, const char* fallback = "") {
  const char* value = std::getenv(name);
  return value != nullptr ? value : fallback;
}
long number(const char* name, long fallback) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atol(value) : fallback;
}

bool this_rank() {
  const std::string_view wanted = setting("FAULT_RANK");
  return wanted.empty() || wanted == setting("OMPI_COMM_WORLD_RANK", std::getenv("PMI_RANK"));
}

int error_of(std::string_view name) {
  if (name == "ENOSPC") return ENOSPC;
  if (name == "EROFS") return EROFS;
  if (name == "EACCES") return EACCES;
  if (name == "ENOENT") return ENOENT;
  if (name == "EDQUOT") return EDQUOT;
  return EIO;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool watched(std::string path) {
  const std::string_view prefix = setting("FAULT_PATH");
  if (prefix.empty()) return false;
  if (path.empty() || path[0] != '/') {
    char here[PATH_MAX];
    if (::getcwd(here, sizeof here) != nullptr) path = std::string(here) + "/" + path;
  }
  return path.starts_with(prefix);
}
bool watched(const char* path) { return path != nullptr && watched(std::string(path)); }

std::string path_of(int descriptor) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

std::atomic<long> calls{0};

/// One call that is looked at; `at` is its number, 0 if it is not.
struct Call {
  const char* name;
  std::string path;
  std::size_t bytes;
  long at = 0;

  Call(const char* called, std::string where, bool counts, std::size_t size = 0)
      : name(called), path(std::move(where)), bytes(size) {
    if (counts) at = ++calls;
  }
  [[nodiscard]] bool harmed() const {
    static const long first = number("FAULT_AT", 0), last = number("FAULT_UNTIL", first);
    if (at == 0 || first == 0 || at < first || at > last || !this_rank()) return false;
    const std::string names = "," + std::string(setting("FAULT_CALLS")) + ",";
    return names == ",," || names.find("," + std::string(name) + ",") != std::string::npos;
  }
  [[nodiscard]] bool killed() const { return harmed() && setting("FAULT_DO", "kill") == "kill"; }
  [[nodiscard]] bool cut() const { return harmed() && setting("FAULT_DO") == "short" && bytes > 1; }
  [[nodiscard]] bool asked() const { return harmed() && setting("FAULT_DO") == "term"; }
  [[nodiscard]] bool failed() const { return harmed() && !killed() && !asked() && setting("FAULT_DO") != "short"; }
  /// Of a write: how much of it is done.
  [[nodiscard]] std::size_t part() const {
    const std::string_view part = setting("FAULT_PART", "none");
    if (part == "one") return bytes < 1 ? bytes : 1;
    if (part == "half") return bytes / 2;
    if (part == "last") return bytes - (bytes > 0 ? 1 : 0);
    return 0;
  }
  void log() const {
    const std::string_view file = setting("FAULT_LOG");
    if (at == 0 || file.empty()) return;
    const int before = errno;
    const std::string line = std::to_string(at) + " " + name + " " + std::to_string(bytes) + " " + path + "\n";
    const long log = ::syscall(SYS_openat, AT_FDCWD, file.data(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    ::syscall(SYS_write, log, line.data(), line.size());
    ::syscall(SYS_close, log);
    errno = before;
  }
};

/// A call that does one thing or none.
template <class Do>
auto whole(const Call& call, Do&& act) -> decltype(act()) {
  if (call.killed()) ::kill(::getpid(), SIGKILL);
  if (call.asked()) ::kill(::getpid(), SIGTERM);
  if (call.failed()) {
    errno = error_of(setting("FAULT_DO"));
    if constexpr (std::is_pointer_v<decltype(act())>) {
      return nullptr;
    } else {
      return -1;
    }
  }
  const auto result = act();
  call.log();
  return result;
}

/// A write that may be cut.
template <class Write>
ssize_t written(const Call& call, Write&& act) {
  if (call.killed()) {
    if (call.part() > 0) act(call.part());
    ::kill(::getpid(), SIGKILL);
  }
  return whole(call, [&] { return act(call.cut() ? std::max<std::size_t>(call.part(), 1) : call.bytes); });
}

bool without_locks(int descriptor) { return !setting("FAULT_LOCKS").empty() && watched(path_of(descriptor)); }
bool is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

bool makes(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  const std::string path = path_of(descriptor);
  return written(Call("write", path, watched(path), size), [&](size_t part) { return next(descriptor, bytes, part); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t place) {
  static auto* const next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  const std::string path = path_of(descriptor);
  return written(Call("pwrite", path, watched(path), size),
                 [&](size_t part) { return next(descriptor, bytes, part, place); });
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t place) {
  return pwrite(descriptor, bytes, size, place);
}

ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  static auto* const next = real<ssize_t(int, const struct iovec*, int)>("writev");
  const std::string path = path_of(descriptor);
  if (!watched(path)) return next(descriptor, pieces, count);
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
  return written(Call("writev", path, true, bytes.size()),
                 [&](size_t part) { return ::syscall(SYS_write, descriptor, bytes.data(), part); });
}

#define ON_DESCRIPTOR(function)                                                           \
  int function(int descriptor) {                                                          \
    static auto* const next = real<int(int)>(#function);                                  \
    const std::string path = path_of(descriptor);                                         \
    return whole(Call(#function, path, watched(path)), [&] { return next(descriptor); }); \
  }
ON_DESCRIPTOR(fsync)
ON_DESCRIPTOR(fdatasync)

int flock(int descriptor, int operation) {
  static auto* const next = real<int(int, int)>("flock");
  if (!without_locks(descriptor)) return next(descriptor, operation);
  errno = ENOLCK;
  return -1;
}

#define FCNTL(function)                                                                              \
  int function(int descriptor, int command, ...) {                                                   \
    static auto* const next = real<int(int, int, void*)>(#function);                                 \
    va_list more;                                                                                    \
    va_start(more, command);                                                                         \
    void* const argument = va_arg(more, void*);                                                      \
    va_end(more);                                                                                    \
    if (!is_lock(command) || !without_locks(descriptor)) return next(descriptor, command, argument); \
    errno = ENOLCK;                                                                                  \
    return -1;                                                                                       \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

int ftruncate(int descriptor, off_t size) {
  static auto* const next = real<int(int, off_t)>("ftruncate");
  const std::string path = path_of(descriptor);
  return whole(Call("ftruncate", path, watched(path)), [&] { return next(descriptor, size); });
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

#define ON_PATH(function)                                                           \
  int function(const char* path) {                                                  \
    static auto* const next = real<int(const char*)>(#function);                    \
    return whole(Call(#function, path, watched(path)), [&] { return next(path); }); \
  }
ON_PATH(unlink)
ON_PATH(rmdir)
ON_PATH(remove)

int unlinkat(int folder, const char* name, int flags) {
  static auto* const next = real<int(int, const char*, int)>("unlinkat");
  const std::string path = folder == AT_FDCWD || name[0] == '/' ? name : path_of(folder) + "/" + name;
  return whole(Call("unlinkat", path, watched(path)), [&] { return next(folder, name, flags); });
}

int rename(const char* from, const char* to) {
  static auto* const next = real<int(const char*, const char*)>("rename");
  return whole(Call("rename", to, watched(to)), [&] { return next(from, to); });
}

int mkdir(const char* path, mode_t mode) {
  static auto* const next = real<int(const char*, mode_t)>("mkdir");
  return whole(Call("mkdir", path, watched(path)), [&] { return next(path, mode); });
}

#define OPEN(function)                                                                                        \
  int function(const char* path, int flags, ...) {                                                            \
    static auto* const next = real<int(const char*, int, mode_t)>(#function);                                 \
    va_list more;                                                                                             \
    va_start(more, flags);                                                                                    \
    const mode_t mode = makes(flags) ? va_arg(more, mode_t) : 0;                                              \
    va_end(more);                                                                                             \
    return whole(Call("open", path, makes(flags) && watched(path)), [&] { return next(path, flags, mode); }); \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(function)                                                                                  \
  FILE* function(const char* path, const char* mode) {                                                   \
    static auto* const next = real<FILE*(const char*, const char*)>(#function);                          \
    return whole(Call("open", path, mode[0] != 'r' && watched(path)), [&] { return next(path, mode); }); \
  }
FOPEN(fopen)
FOPEN(fopen64)

}  // extern "C"
