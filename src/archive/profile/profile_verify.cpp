// SPDX-License-Identifier: MIT
#include "archive/profile/profile_verify.hpp"

#include <fmt/format.h>

#include <cmath>

#include "archive/file_checks.hpp"
#include "archive/profile/profile_columns.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/provenance.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "hdf5/hdf5.hpp"

namespace palstudy {
namespace {

constexpr const char* measure_again = "restore the file from a copy or measure again";
constexpr int first_profile_with_checksum = 2;  // second number of the schema version
constexpr double summary_tolerance = 1e-9;      // relative, between a summary and the same from batches

template <class Row>
void check_labels(const hdf5::File& file, const std::string& group, Findings& findings) {
  std::vector<std::string> names;
  for (const ProfileColumn<Row>& column : profile_columns<Row>()) {
    const std::string path = group + "/" + column.name;
    names.emplace_back(column.name);
    const std::string units = join(read_attribute(file, path, "units"));
    if (units != column.units) {
      findings.push_back(
          fmt::format("{}: is in \"{}\", expected \"{}\"; {}", path, units, column.units, measure_again));
    }
  }
  if (read_attribute(file, group, "columns") != names) {
    findings.push_back(fmt::format("{} (attribute columns): is not {}; {}", group, join(names), measure_again));
  }
}

bool same_summary(double a, double b) { return std::abs(a - b) <= summary_tolerance * std::abs(b); }

void check_summaries(const hdf5::File& file, const Profile& profile, Findings& findings) {
  const ProfileRows rows = to_rows(profile);
  for (const ProfileColumn<RepeatRow>& column : profile_columns<RepeatRow>()) {
    const auto* member = std::get_if<double RepeatRow::*>(&column.member);
    if (member == nullptr || column.form != ProfileForm::derived) continue;
    const std::string path = std::string("/repeats/") + column.name;
    const auto stored = read_reals(file, path);
    for (std::size_t row = 0; row < stored.size() && row < rows.repeats.size(); ++row) {
      const double expected = rows.repeats[row].**member;
      if (same_summary(stored[row], expected)) continue;
      findings.push_back(fmt::format("{}: row {} says {}, its batches give {}; {}", path, row, shortest(stored[row]),
                                     shortest(expected), measure_again));
    }
  }
}

void check_content(const std::filesystem::path& path, const hdf5::File& file, Findings& findings) {
  const Profile profile = read_profile(path);
  const std::string digest = profile_digest(profile), stored = join(read_attribute(file, "/", "digest"));
  if (digest != stored) {
    findings.push_back(
        fmt::format("/ (attribute digest): says {}, the columns give {}; {}", stored, digest, measure_again));
  }
  check_summaries(file, profile, findings);
  check_scales(file, measure_again, findings);
  ProfileRows none;
  for_each_table(none, [&]<class Row>(const std::string& group, const std::vector<Row>&) {
    check_labels<Row>(file, group, findings);
  });
}

}  // namespace

std::vector<std::string> verify_profile(const std::filesystem::path& path) {
  return findings_in(path, measure_again, [&](Findings& findings) {
    static_cast<void>(stored_profile_digest(path));  // whether it is a profile at all
    const hdf5::File file = hdf5::File::open(path);
    check_file_end(file, measure_again, findings);
    if (!check_datasets(file, measure_again, findings)) return;
    for (const std::string& name : origin_attributes()) {
      attempt(findings, [&] { static_cast<void>(read_attribute(file, "/", name)); });
    }
    check_content(path, file, findings);
    if (!findings.empty()) return;
    check_checksum(file, minor_version(file) >= first_profile_with_checksum, measure_again, findings);
  });
}

void require_intact_profile(const std::filesystem::path& profile) {
  refuse_damaged(verify_profile(profile), profile, "profile");
}

}  // namespace palstudy
