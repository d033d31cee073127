// SPDX-License-Identifier: MIT
#include "shard/parts_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "shard/campaign_lock.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_named = 5;

bool is_plain_file(const std::filesystem::directory_entry& entry) {
  std::error_code ignored;
  return entry.symlink_status(ignored).type() == std::filesystem::file_type::regular;
}

/// The name that a file gets once it is whole: of x.part, and of x.PID.new, x.
std::string final_name(const std::string& name) {
  if (name.ends_with(".part")) return name.substr(0, name.size() - 5);
  if (!name.ends_with(".new")) return name;
  const std::string with_pid = name.substr(0, name.size() - 4);
  const auto point = with_pid.rfind('.');
  return point != std::string::npos && parse_integer(with_pid.substr(point + 1)) ? with_pid.substr(0, point) : name;
}

}  // namespace

void require_folder(const std::filesystem::path& parts) {
  std::error_code ignored;
  const auto own = std::filesystem::symlink_status(parts, ignored);
  if (!std::filesystem::exists(own) || std::filesystem::is_directory(own)) return;
  throw usage_error(std::filesystem::is_symlink(own) ? "is a link; the folder of the shards has this name"
                                                     : "is no folder; that of the shards has this name",
                    parts.string(), "move it away, or give another FILE.h5");
}

bool is_shard_of(const FrameKind& kind, const std::filesystem::directory_entry& entry) {
  if (!is_plain_file(entry) || entry.path().extension() != ".shard") return false;
  std::ifstream in(entry.path(), std::ios::binary);
  std::array<char, std::tuple_size_v<decltype(kind.magic)>> begin{};
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return std::equal(begin.begin(), begin.begin() + in.gcount(), kind.magic.begin());
}

std::vector<std::filesystem::path> files_ending(const std::filesystem::path& parts, const std::string& ending,
                                                std::error_code& error) {
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(parts, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const bool named = entry->path().filename().string().ends_with(ending);
    if (named && !std::filesystem::is_other(entry->status(gone))) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

bool is_file_named(const std::filesystem::directory_entry& entry, std::span<const std::string> names) {
  const std::string own = final_name(entry.path().filename().string());
  return is_plain_file(entry) && std::ranges::any_of(names, [&](const std::string& name) {
           return name.starts_with('*') ? own.ends_with(name.substr(1)) : own == name;
         });
}

std::string clear_parts(const std::filesystem::path& parts, const RemoveOwn& remove) {
  std::error_code ignored;
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(parts, ignored)) {
    if (CampaignLock::is_file_of(entry.path())) continue;
    remove(entry);
    const auto status = std::filesystem::symlink_status(entry.path(), ignored);
    if (std::filesystem::exists(status)) left.push_back(entry.path().filename().string());
  }
  if (left.empty()) return "";
  std::ranges::sort(left);
  const auto named = std::span(left).first(std::min(left.size(), most_named));
  return fmt::format("{}: not made here, so it stays: {}{}; move it away", parts.string(), join(named),
                     left.size() > most_named ? fmt::format(" and {} more", left.size() - most_named) : "");
}

void open_output(const std::filesystem::path& output, const std::function<void()>& open,
                 const std::function<void()>& tidy) {
  try {
    make_folder_of(output);
    open();
  } catch (const std::filesystem::filesystem_error& error) {
    tidy();
    throw data_error(error.code().message(), output.string(), "give another -o");
  } catch (...) {
    tidy();
    throw;
  }
}

void work_or_tidy(const Mpi& mpi, const std::function<void()>& work, const std::function<void()>& tidy) {
  try {
    work();
  } catch (...) {
    if (mpi.rank() == 0) tidy();
    throw;
  }
}

}  // namespace palstudy
