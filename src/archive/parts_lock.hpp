// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>

namespace palstudy {

/// How long a campaign waits for another one, or for the orphans of a killed mpirun, to end.
inline constexpr std::chrono::milliseconds parts_lock_patience{10000};

/// The lock in `FILE.h5.parts/lock`. Every rank of a campaign holds a shared `flock`, which the system gives back
/// however a process dies; a campaign begins only when its first rank gets the lock for itself alone, so none begins
/// while a rank of another lives.
class PartsLock {
 public:
  /// For the first rank: makes the folder, takes the lock for itself alone, writes host and pid into it, and goes on to
  /// share it. Errors (data): another campaign holds it after `patience`, and who that is; the folder cannot be
  /// written; a file system without locks.
  static PartsLock begin(const std::filesystem::path& parts, std::chrono::milliseconds patience = parts_lock_patience);
  /// For one of several campaigns that work side by side, each with a folder and a lock of its own in this one: makes
  /// the folder and shares the lock. Errors (data): as above.
  static PartsLock share(const std::filesystem::path& parts, std::chrono::milliseconds patience = parts_lock_patience);
  /// For the other ranks, once the first has returned from `begin` or `share`. Errors (data): as above, and a folder
  /// that this rank does not see.
  static PartsLock join(const std::filesystem::path& parts, std::chrono::milliseconds patience = parts_lock_patience);

  PartsLock(PartsLock&& other) noexcept;
  PartsLock& operator=(PartsLock&& other) noexcept;
  ~PartsLock();  ///< gives the lock back; the file stays

  /// For the first rank at the end, or when a campaign is refused: removes the lock file, and the folder if that leaves
  /// it empty. The lock itself is held on.
  void remove_file();

 private:
  PartsLock(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}
  int descriptor_;
  std::filesystem::path file_;
};

}  // namespace palstudy
