// SPDX-License-Identifier: MIT
#include "archive/profile/profile_digest.hpp"

#include <string>
#include <type_traits>
#include <utility>

#include "archive/profile/profile_columns.hpp"
#include "record/column_hasher.hpp"

namespace palstudy {
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

}  // namespace palstudy
