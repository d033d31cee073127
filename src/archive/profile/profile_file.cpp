// SPDX-License-Identifier: MIT
#include "archive/profile/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "archive/file_checks.hpp"
#include "archive/profile/profile_columns.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/digest.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {
namespace {

using hdf5::Element;
using hdf5::File;

constexpr const char* damaged_profile = "restore the profile from a copy or measure again";

std::string names_path(const std::string& group, const char* column) {
  return "/names/" + group.substr(1) + "." + column;
}

void write_coded(File& file, const std::string& path, const std::string& names_at,
                 const std::vector<std::string>& texts, const hdf5::Label& label) {
  std::vector<std::string> names = texts;
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::int32_t> codes;
  for (const std::string& text : texts) {
    codes.push_back(static_cast<std::int32_t>(std::lower_bound(names.begin(), names.end(), text) - names.begin()));
  }
  write_dataset(file, path, codes, label);
  write_attribute(file, path, "names", names_at);
  write_dataset(file, names_at, names, {"1", "The texts that the codes in " + path + " stand for."});
  share_rows(file, names_at, {names_at});
}

template <class Row>
void write_table(File& file, const std::string& group, const std::vector<Row>& rows) {
  std::vector<std::string> names, paths;
  for (const ProfileColumn<Row>& column : profile_columns<Row>()) {
    const std::string path = group + "/" + column.name;
    paths.push_back(path);
    const hdf5::Label label{column.units, column.long_name};
    names.emplace_back(column.name);
    std::visit(
        [&](auto member) {
          using Value = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
          using Stored = std::conditional_t<std::is_integral_v<Value>, std::int64_t, Value>;
          std::vector<Stored> values;
          values.reserve(rows.size());
          for (const Row& row : rows) values.push_back(static_cast<Stored>(row.*member));
          if constexpr (std::is_same_v<Value, std::string>) {
            if (column.form == ProfileForm::coded) {
              return write_coded(file, path, names_path(group, column.name), values, label);
            }
          }
          write_dataset(file, path, values, label);
        },
        column.member);
  }
  write_attribute(file, group, "columns", names);
  share_rows(file, group + "/row", paths);
}

std::vector<std::string> read_coded(const File& file, const std::string& path) {
  const TextColumn text = read_text_column(file, path, damaged_profile);
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < text.codes.size(); ++row) texts.push_back(text.at(row));
  return texts;
}

void need_element(const File& file, const std::string& path, Element element) {
  if (element_of(file, path) == element) return;
  throw data_error(std::string("the column is of another type than schema ") + profile_schema_version + " has",
                   file.name() + ":" + path, damaged_profile);
}

template <class Value>
auto read_values(const File& file, const std::string& path, ProfileForm form) {
  if constexpr (std::is_same_v<Value, std::string>) {
    need_element(file, path, form == ProfileForm::coded ? Element::code : Element::text);
    return form == ProfileForm::coded ? read_coded(file, path) : read_texts(file, path);
  } else if constexpr (std::is_same_v<Value, float>) {
    need_element(file, path, Element::single);
    return read_singles(file, path);
  } else if constexpr (std::is_same_v<Value, double>) {
    need_element(file, path, Element::real);
    return read_reals(file, path);
  } else {
    need_element(file, path, Element::integer);
    auto values = read_integers(file, path);
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (std::in_range<std::conditional_t<std::is_same_v<Value, bool>, std::int8_t, Value>>(values[row]) &&
          (!std::is_same_v<Value, bool> || values[row] == 0 || values[row] == 1)) {
        continue;
      }
      throw data_error("the number " + std::to_string(values[row]) + " is out of range",
                       file.name() + ":" + path + ", row " + std::to_string(row), damaged_profile);
    }
    return values;
  }
}

template <class Row>
void read_table(const File& file, const std::string& group, std::vector<Row>& rows) {
  bool first = true;
  for (const ProfileColumn<Row>& column : profile_columns<Row>()) {
    const std::string path = group + "/" + column.name;
    if (!file.exists(path)) throw data_error("the column is missing", file.name() + ":" + path, damaged_profile);
    std::visit(
        [&](auto member) {
          using Value = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
          auto values = read_values<Value>(file, path, column.form);
          if (std::exchange(first, false)) rows.resize(values.size());
          if (values.size() != rows.size()) {
            throw data_error("the column has " + std::to_string(values.size()) + " rows where others have " +
                                 std::to_string(rows.size()),
                             file.name() + ":" + path, damaged_profile);
          }
          for (std::size_t i = 0; i < rows.size(); ++i) rows[i].*member = static_cast<Value>(std::move(values[i]));
        },
        column.member);
  }
}

File open_profile(const std::filesystem::path& path) {
  File file = File::open(path);
  require_schema(file, profile_schema_name, profile_schema_version, "profile", "palstudy measure");
  return file;
}

}  // namespace

void write_profile(const std::filesystem::path& path, const Profile& profile, const Provenance& provenance) {
  check_profile(profile, path.string());
  const Profile ordered = in_order(profile);
  hdf5::make_file(path, [&](File& file) {
    write_attribute(file, "/", "schema", std::string(profile_schema_name) + " " + profile_schema_version);
    write_attribute(file, "/", "schema_version", std::string(profile_schema_version));
    write_attribute(file, "/", "digest", profile_digest(ordered));
    Provenance from = provenance;
    from.profile_origin = profile.origin;
    write_origin(file, from);
    const ProfileRows all = to_rows(ordered);
    for_each_table(all, [&](const std::string& group, const auto& rows) { write_table(file, group, rows); });
    write_checksum(file);
  });
}

Profile read_profile(const std::filesystem::path& path) {
  const File file = open_profile(path);
  ProfileRows rows;
  rows.origin = join(read_attribute(file, "/", "profile.origin"));
  for_each_table(rows, [&](const std::string& group, auto& table) { read_table(file, group, table); });
  Profile profile = from_rows(rows, path.string());
  check_profile(profile, path.string());
  return profile;
}

std::string stored_profile_digest(const std::filesystem::path& path) {
  return join(read_attribute(open_profile(path), "/", "digest"));
}

bool is_profile_file(const std::filesystem::path& path) {
  try {
    return join(read_attribute(File::open(path), "/", "schema")).starts_with(profile_schema_name);
  } catch (const Error&) {
    return false;
  }
}

namespace {

template <class Row>
void add_column(ColumnHasher& hasher, const std::string& group, const ProfileColumn<Row>& column,
                const std::vector<Row>& rows) {
  std::visit(
      [&](auto member) {
        using Value = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
        constexpr char type = std::is_same_v<Value, std::string> ? 's' : std::is_floating_point_v<Value> ? 'f' : 'i';
        hasher.column(group + "/" + column.name, type, rows.size());
        for (const Row& row : rows) {
          if constexpr (type == 's') {
            hasher.text(row.*member);
          } else if constexpr (type == 'f') {
            hasher.real(static_cast<double>(row.*member));
          } else {
            hasher.value(static_cast<std::int64_t>(row.*member));
          }
        }
      },
      column.member);
}

}  // namespace

std::string profile_digest(const Profile& profile) {
  ColumnHasher hasher;
  constexpr std::string_view version = "palstudy-profile-digest-1\n";
  hasher.bytes(version.data(), version.size());
  hasher.text(profile.origin);
  const ProfileRows all = to_rows(profile);
  for_each_table(all, [&]<class Row>(const std::string& group, const std::vector<Row>& rows) {
    if (rows.empty()) return;
    for (const ProfileColumn<Row>& column : profile_columns<Row>()) {
      if (column.form != ProfileForm::derived) add_column(hasher, group, column, rows);
    }
  });
  return hasher.finish_hex();
}

namespace {

constexpr const char* measure_again = "restore the file from a copy or measure again";
constexpr double summary_tolerance = 1e-9;  // relative, between a summary and the same from batches

template <class Row>
void check_labels(const hdf5::File& file, const std::string& group, Found& found) {
  std::vector<std::string> names;
  for (const ProfileColumn<Row>& column : profile_columns<Row>()) {
    const std::string path = group + "/" + column.name;
    names.emplace_back(column.name);
    const std::string units = join(read_attribute(file, path, "units"));
    if (units != column.units) {
      found.push_back({fmt::format("is in \"{}\", expected \"{}\"", units, column.units), path, measure_again});
    }
  }
  if (read_attribute(file, group, "columns") != names) {
    found.push_back({"is not " + join(names), group + " (attribute columns)", measure_again});
  }
}

bool same_summary(double a, double b) { return std::abs(a - b) <= summary_tolerance * std::abs(b); }

void check_summaries(const hdf5::File& file, const Profile& profile, Found& found) {
  const ProfileRows rows = to_rows(profile);
  for (const ProfileColumn<RepeatRow>& column : profile_columns<RepeatRow>()) {
    const auto* member = std::get_if<double RepeatRow::*>(&column.member);
    if (member == nullptr || column.form != ProfileForm::derived) continue;
    const std::string path = std::string("/repeats/") + column.name;
    const auto stored = read_reals(file, path);
    for (std::size_t row = 0; row < stored.size() && row < rows.repeats.size(); ++row) {
      const double expected = rows.repeats[row].**member;
      if (same_summary(stored[row], expected)) continue;
      found.push_back(
          {fmt::format("row {} says {}, its batches give {}", row, shortest(stored[row]), shortest(expected)), path,
           measure_again});
    }
  }
}

void check_content(const std::filesystem::path& path, const hdf5::File& file, Found& found) {
  const Profile profile = read_profile(path);
  const std::string digest = profile_digest(profile), stored = join(read_attribute(file, "/", "digest"));
  if (digest != stored) {
    found.push_back(
        {fmt::format("says {}, the columns give {}", stored, digest), "/ (attribute digest)", measure_again});
  }
  check_summaries(file, profile, found);
  check_scales(file, measure_again, found);
  ProfileRows none;
  for_each_table(none, [&]<class Row>(const std::string& group, const std::vector<Row>&) {
    check_labels<Row>(file, group, found);
  });
}

}  // namespace

Found verify_profile(const std::filesystem::path& path) {
  return found_in(path, measure_again, [&](Found& found) {
    static_cast<void>(stored_profile_digest(path));  // whether it is a profile at all
    const hdf5::File file = hdf5::File::open(path);
    check_file_end(file, measure_again, found);
    if (!check_datasets(file, measure_again, found)) return;
    for (const std::string& name : origin_attributes()) {
      attempt(found, [&] { static_cast<void>(read_attribute(file, "/", name)); });
    }
    check_content(path, file, found);
    if (found.empty()) check_checksum(file, measure_again, found);
  });
}

void require_intact_profile(const std::filesystem::path& profile) {
  refuse_damaged(verify_profile(profile), profile, "profile");
}

}  // namespace palstudy
