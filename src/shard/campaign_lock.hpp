// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>

namespace palstudy {

/// How long a campaign waits for another one, or for the orphans of a killed mpirun, to end.
inline constexpr std::chrono::milliseconds parts_lock_patience{10000};

/// Who works on the parts of an archive: one campaign (or merge) alone, or slices side by side.
enum class Holders { campaign, slices };

/// The locks `FILE.h5.parts/lock` and `slices.lock`. Every rank of a campaign holds a shared `flock` of the one, which
/// the system gives back however a process dies; a campaign begins only when its first rank gets that lock for itself
/// alone, so none begins while a rank of another lives. Slices share the other one, each with a folder and a lock of
/// its own besides. A campaign does not begin while a rank of a slice lives, nor a slice while one of a campaign does.
class CampaignLock {
 public:
  /// For the first rank: makes the folder, takes the lock for itself alone, writes host and pid into it, and goes on to
  /// share it. Errors (data): another holds it after `patience`, and who that is; the folder cannot be written; a file
  /// system without locks.
  static CampaignLock begin(const std::filesystem::path& parts,
                            std::chrono::milliseconds patience = parts_lock_patience);
  /// For the first rank of a slice: makes the folder and shares. Errors (data): as above.
  static CampaignLock share(const std::filesystem::path& parts,
                            std::chrono::milliseconds patience = parts_lock_patience);
  /// For the other ranks, once the first has returned from `begin` or `share`. Errors (data): as above, and a folder
  /// that this rank does not see.
  static CampaignLock join(const std::filesystem::path& parts, Holders holders = Holders::campaign,
                           std::chrono::milliseconds patience = parts_lock_patience);
  /// Whether a process works on these parts now.
  [[nodiscard]] static bool is_held(const std::filesystem::path& parts);
  /// Whether a file in the folder is one of the locks, which goes last.
  [[nodiscard]] static bool is_file_of(const std::filesystem::path& file);

  CampaignLock(CampaignLock&& other) noexcept;
  CampaignLock& operator=(CampaignLock&& other) noexcept;
  ~CampaignLock();  ///< gives the lock back; the file stays

  /// For the first rank at the end, or when a campaign is refused: removes the lock file, and the folder if that leaves
  /// it empty. The lock itself is held on. Nothing is removed that other slices share.
  void remove_file();

 private:
  CampaignLock(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}
  int descriptor_;
  std::filesystem::path file_;
};

}  // namespace palstudy
