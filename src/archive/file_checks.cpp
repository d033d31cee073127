// SPDX-License-Identifier: MIT
#include "archive/file_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "archive/damage_check.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "sim/state/solves.hpp"

namespace palstudy {
namespace fs = std::filesystem;
namespace {

/// path -> sum, of lines "sum  path".
std::map<std::string, std::string> by_path(const std::vector<std::string>& parts) {
  std::map<std::string, std::string> sums;
  for (const std::string& part : parts) {
    const auto blanks = std::min(part.find("  "), part.size());
    sums.emplace(blanks < part.size() ? part.substr(blanks + 2) : "", part.substr(0, blanks));
  }
  return sums;
}

bool is_altered(const std::filesystem::path& path) {
  try {
    const hdf5::File file = hdf5::File::open(path);
    const hdf5::ContentChecksum stored = stored_checksum(file);
    constexpr std::size_t digits = 32;
    return stored.all.size() == digits && !stored.parts.empty() && content_checksum(file).all != stored.all;
  } catch (const Error&) {  // something that no file of this program has
    return false;
  }
}

}  // namespace

void require_schema(const hdf5::File& file, const std::string& name, const std::string& version, const char* kind,
                    const char* maker) {
  const std::string schema = join(read_attribute(file, "/", "schema")), where = file.name() + ":/";
  const auto space = schema.find(' ');
  if (schema.substr(0, space) != name) {
    throw NotAnArchive(schema.empty() ? fmt::format("an HDF5 file that is no {} of palstudy", kind)
                                      : fmt::format("an HDF5 file of the schema \"{}\", not {} {}", schema,
                                                    kind[0] == 'a' ? "an" : "a", kind),
                       where, fmt::format("give the path of one that {} has written", maker));
  }
  const std::string own = space == std::string::npos ? "" : schema.substr(space + 1);
  if (own.substr(0, own.find('.')) != version.substr(0, version.find('.'))) {
    throw NotAnArchive(fmt::format("{} of schema version \"{}\"; this program reads {}", kind, own, version), where,
                       "read it with the palstudy that wrote it");
  }
}

bool check_datasets(const hdf5::File& file, const char* advice, Found& found) {
  bool good = true;
  for (const std::string& path : file.datasets()) {
    good &= attempt(found, [&] {
      read_through(file, path);
      for (const char* name : {"units", "long_name"}) {
        if (join(read_attribute(file, path, name)).empty()) {
          found.push_back({fmt::format("has no attribute {}", name), path, advice});
        }
      }
    });
  }
  return good;
}

void check_scales(const hdf5::File& file, const char* advice, Found& found) {
  for (const std::string& path : without_scale(file)) {
    found.push_back({"has no dimension scale", path, advice});
  }
}

void check_checksum(const hdf5::File& file, const char* advice, Found& found) {
  const hdf5::ContentChecksum stored = stored_checksum(file);
  if (stored.all.empty() && stored.parts.empty()) {
    return found.push_back({"is missing", "/ (attribute checksum)", advice});
  }
  const hdf5::ContentChecksum made = content_checksum(file);
  if (made.all == stored.all && made.parts == stored.parts) return;
  const std::size_t before = found.size();
  const auto now = by_path(made.parts), then = by_path(stored.parts);
  for (const auto& [path, sum] : now) {
    const auto old = then.find(path);
    if (old == then.end()) {
      found.push_back({"was not there when the checksum was made", path, advice});
    } else if (old->second != sum) {
      found.push_back(
          {fmt::format("something {} was altered: the checksum says {}, the content gives {}",
                       path == "/" ? "of the root (attributes, names of its members)" : "in it", old->second, sum),
           path, advice});
    }
  }
  for (const auto& [path, sum] : then) {
    if (!now.contains(path)) found.push_back({"the checksum covers it, it is missing", path, advice});
  }
  if (found.size() == before) {
    found.push_back(
        {fmt::format("says {}, the content gives {}", stored.all, made.all), "/ (attribute checksum)", advice});
  }
}

Found found_in(const std::filesystem::path& file, const char* advice, const std::function<void(Found&)>& check) {
  return found_by_child(file, [&] {
    Found found;
    try {
      attempt(found, [&] { check(found); });
    } catch (const NotAnArchive&) {
      if (!is_altered(file)) throw;
      found.push_back({"is not what the checksum covers", "/ (attribute schema)", advice});
    }
    return found;
  });
}

void check_file_end(const hdf5::File& file, const char* advice, Found& found) {
  if (const auto bytes = file.bytes_behind(); bytes > 0) {
    found.push_back({fmt::format("{} bytes follow the end of the HDF5 file", bytes), "", advice});
  }
  if (const auto bytes = file.bytes_before(); bytes > 0) {
    found.push_back({fmt::format("{} bytes stand before the beginning of the HDF5 file", bytes), "", advice});
  }
}

std::string fact_of(const ErrorParts& finding, const std::filesystem::path& file) {
  const std::string &where = finding.where, name = file.string();
  const std::string place = where == name ? "" : where.starts_with(name + ":") ? where.substr(name.size() + 1) : where;
  return place.empty() ? finding.what : place + ": " + finding.what;
}

void refuse_damaged(const Found& found, const std::filesystem::path& file, const char* what) {
  if (found.empty()) return;
  const std::string more =
      found.size() == 1 ? "" : fmt::format(" (and {} more; palstudy verify lists them)", found.size() - 1);
  throw data_error(fmt::format("the {} is damaged: {}{}", what, fact_of(found.front(), file), more), file.string(),
                   fmt::format("restore the {} from a copy", what));
}

namespace {

constexpr double rounding = 1e-12;     // between a gap and the same computed again
constexpr double solver_slack = 1e-8;  // absolute: ten times the tolerance of the solver

/// The columns of a run's rows.
struct Solves {
  const std::vector<double>&time_s, &primal, &dual, &gap;
  const std::vector<std::int64_t>&partition, &jobs, &groups, &iterations;
  const TextColumn& objective;
};

/// What is wrong with a row; empty: nothing.
std::string fault_of_values(const Solves& rows, std::size_t i) {
  const auto* const name = std::ranges::find(share_objective_names, rows.objective.at(i));
  if (name == share_objective_names.end()) return fmt::format("objective \"{}\" is not known", rows.objective.at(i));
  const auto objective = ShareObjective(name - share_objective_names.begin());
  const double primal = rows.primal[i], dual = rows.dual[i], gap = gap_of(primal, dual);
  const std::string both = fmt::format("primal {} and dual {}", shortest(primal), shortest(dual));
  if (gap != rows.gap[i] && !(std::abs(gap - rows.gap[i]) <= rounding)) {  // equal where it is infinite
    return fmt::format("gap {} is stored, {} give {}", shortest(rows.gap[i]), both, shortest(gap));
  }
  const double most = largest_gap(objective, static_cast<std::size_t>(rows.jobs[i]));
  if (!(std::abs(primal - dual) <= std::max(most * std::abs(primal), solver_slack))) {
    return fmt::format("{} are further apart than {} of the primal value", both, shortest(most));
  }
  const double better = minimized(objective) ? dual - primal : primal - dual;
  if (better > std::max(1e-6 * std::abs(primal), solver_slack)) {
    return fmt::format("{} of {}: the primal value is better than its bound", both, rows.objective.at(i));
  }
  return "";
}

std::string fault_of(const Solves& rows, std::size_t i) {
  const bool counts = rows.jobs[i] >= 0 && rows.groups[i] >= 0 && rows.groups[i] <= rows.jobs[i];
  if (!counts || rows.iterations[i] < 0) return "its counts cannot be";
  const auto place = [&](std::size_t row) { return std::pair(rows.time_s[row], rows.partition[row]); };
  if (i > 0 && !(place(i - 1) < place(i))) return "it does not follow the row before by time and partition";
  return fault_of_values(rows, i);
}

}  // namespace

void check_solves(const RunRecord& record, Found& found) {
  const TableData& table = record.solves;
  if (table.rows() == 0) return;
  const Solves rows{reals_of(table, "time_s"),    reals_of(table, "primal"),        reals_of(table, "dual"),
                    reals_of(table, "gap"),       integers_of(table, "partition"),  integers_of(table, "jobs"),
                    integers_of(table, "groups"), integers_of(table, "iterations"), texts_of(table, "objective")};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string fault = fault_of(rows, i);
    if (fault.empty()) continue;
    return found.push_back({fmt::format("row {} of run {}: {}", i, record.run, fault), "/solves",
                            "restore the file from a copy or run the study again"});
  }
}

namespace {

/// "no archive", "no profile", "no cluster" of palstudy.
std::string none_of(const std::string& schema) {
  return fmt::format("no {} of palstudy", schema.substr(schema.find('-') + 1));
}

bool is_among(const std::vector<fs::path>& inputs, const fs::path& path) {
  return std::ranges::any_of(inputs, [&](const fs::path& input) {
    std::error_code none;  // an input that is not there is refused by who reads it
    return fs::equivalent(input, path, none);
  });
}

/// What keeps the file at `path` from being replaced; "" if nothing does.
std::string why_kept(const fs::path& path, const std::string& schema) {
  if (fs::file_size(path) == 0) return "";
  try {
    const std::string own = join(read_attribute(hdf5::File::open(path), "/", "schema"));
    return own.substr(0, own.find(' ')) == schema ? "" : "is there and " + none_of(schema);
  } catch (const OpenElsewhere&) {
    return "is there, and another program has it open for writing or was killed while it had";
  } catch (const NotAnArchive&) {
    return "is there and " + none_of(schema);
  } catch (const Error&) {
    return "is there, and so damaged that its kind cannot be read";
  }
}

}  // namespace

void require_new_hdf5(const fs::path& path, bool force, const char* schema, const std::vector<fs::path>& inputs) {
  require_new_output(path, true);
  if (!fs::exists(path)) return;
  if (is_among(inputs, path)) {
    throw usage_error("is read by this command and would be lost", path.string(), "give another -o");
  }
  if (const std::string why = why_kept(path, schema); !why.empty()) {
    throw usage_error(why, path.string(), "give another -o; to write there all the same, move the file away first");
  }
  require_new_output(path, force);
}

}  // namespace palstudy
