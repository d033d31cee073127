// SPDX-License-Identifier: MIT
#include "inputs/share_inputs.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "policy/order_policy.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

using AccountAndUser = std::pair<std::string, std::string>;

/// The accounts and users of a file by name.
struct NamedShares {
  std::map<std::string, std::size_t> accounts;
  std::map<AccountAndUser, std::uint32_t> users;
  std::map<std::string, std::uint32_t> first_of_user;
  ShareTree tree;

  std::size_t account(const std::string& name) {
    const auto [place, added] = accounts.emplace(name, accounts.size());
    if (added) tree.account_shares.push_back(1);
    return place->second;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& account_name, const std::string& user) const {
    if (account_name.empty()) {
      const auto found = first_of_user.find(user);
      return found == first_of_user.end() ? std::nullopt : std::optional(found->second);
    }
    const auto found = users.find({account_name, user});
    return found == users.end() ? std::nullopt : std::optional(found->second);
  }
};

NamedShares read_shares(const std::filesystem::path& path) {
  constexpr double most = 1e9;
  const CsvTable table = CsvTable::read(path);
  const std::size_t account = table.column("account"), user = table.column("user"), shares = table.column("shares");
  NamedShares read;
  std::map<AccountAndUser, std::size_t> seen;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const AccountAndUser name(table.text(row, account), table.text(row, user));
    if (name.first.empty()) throw data_error("a row without an account", table.where(row, account), "name one");
    if (!seen.emplace(name, row).second) {
      throw data_error(name.second.empty()
                           ? fmt::format("account \"{}\" is given twice", name.first)
                           : fmt::format("user \"{}\" of account \"{}\" is given twice", name.second, name.first),
                       table.where(row, account), "keep one of its rows");
    }
    const std::size_t place = read.account(name.first);
    const double number = table.number(row, shares, 0, most);
    if (!(number > 0)) throw data_error("shares of 0", table.where(row, shares), "give more than 0");
    if (name.second.empty()) {
      read.tree.account_shares[place] = number;
      continue;
    }
    const auto number_of_user = static_cast<std::uint32_t>(read.tree.users.size());
    read.users.emplace(name, number_of_user);
    read.first_of_user.emplace(name.second, number_of_user);
    read.tree.users.push_back({place, number});
  }
  if (read.tree.users.empty()) throw data_error("has no user", path.string(), "give a row with a user");
  return read;
}

std::string name_in(const std::vector<std::string>& names, std::size_t index) {
  return names.empty() ? std::string() : names[index];
}

/// Whether accounts say more than tenants: each tenant shares as an account of its own.
bool accounts_differ(const Workload& workload) {
  return std::ranges::any_of(workload.jobs, [&](const Job& job) {
    const std::string account = name_in(workload.accounts, job.account);
    return !account.empty() && account != name_in(workload.tenants, job.tenant);
  });
}

}  // namespace

const ShareTree* ShareInputs::of(const RunPlan& run, const Workload& workload) {
  const std::string& written = run.slurm.accounts;
  if (orders().at(run.policy.order).make(run.policy.order_params)->counts_shares()) {
    files_.note_column("account", keys::accounts, !written.empty(),
                       written.empty() ? accounts_differ(workload) : !workload.accounts.empty());
  }
  if (written.empty()) return nullptr;
  return &memoize(trees_, written + "\n" + workload_text(run), [&] {
    const auto path = files_.named(keys::accounts, written);
    NamedShares shares = read_shares(path);
    files_.add(written, path);
    for (const Job& job : workload.jobs) {
      const std::string account = name_in(workload.accounts, job.account), user = name_in(workload.users, job.user);
      const auto found = shares.find(account, user);
      if (!found) {
        throw data_error(fmt::format("job {} is of user \"{}\" and account \"{}\", which {} = \"{}\" does not have",
                                     job.id, user, account, keys::accounts.name, written),
                         jobs_of(run), "give the trace columns user and account, or that file a row for both");
      }
      shares.tree.user_of_job.push_back(*found);
    }
    return std::move(shares.tree);
  });
}

}  // namespace palstudy
