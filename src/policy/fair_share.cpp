// SPDX-License-Identifier: MIT
#include "policy/fair_share.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {

/// Slurm takes 0.693 for the logarithm of two, which its recorded usage shows.
FairShare::FairShare(FairShareRule rule, const std::vector<AccountUser>& users,
                     const std::vector<double>& account_shares, double half_life_s)
    : rule_(rule), kept_a_second_(half_life_s > 0 ? 1 - 0.693 / half_life_s : 1) {
  for (const double shares : account_shares) {
    accounts_.push_back({shares});
    all_shares_ += shares;
  }
  for (const AccountUser& user : users) {
    accounts_[user.account].users.push_back(users_.size());
    users_.push_back({user});
    accounts_[user.account].shares_of_users += user.shares;
  }
}

double FairShare::decay(double seconds) const { return std::pow(std::max(0.0, kept_a_second_), seconds); }

double FairShare::total() const {
  double sum = 0;
  for (const User& user : users_) sum += user.usage;
  return sum;
}

void FairShare::begin_tick(double passed_s) {
  passed_s_ = passed_s;
  kept_ = decay(passed_s);
  for (Account& account : accounts_) account.part = 0;
  for (User& user : users_) {
    user.usage *= kept_;
    user.found = false;
  }
  const double all = total();
  if (!(all > 0)) return;
  for (const User& user : users_) accounts_[user.place.account].part += user.usage / all;
}

void FairShare::add(std::size_t user, double gpus, double seconds) {
  users_[user].usage += gpus * seconds * (seconds == passed_s_ ? kept_ : decay(seconds));
}

void FairShare::find(std::size_t user) {
  User& of = users_[user];
  if (of.found || rule_ != FairShareRule::classic) return;
  const Account& account = accounts_[of.place.account];
  const double all = total(), own = all > 0 ? of.usage / all : 0;
  const double beside = of.place.shares / account.shares_of_users;
  const double effective = own + (account.part - own) * beside;
  of.factor = std::exp2(-effective / (account.shares / all_shares_ * beside));
  of.found = true;
}

namespace {

/// Shares over usage, both as parts of those of all siblings.
double level_of(double shares, double usage) { return usage > 0 ? shares / usage : infinity; }

/// The highest first, ties by index.
template <class Ranked>
void rank(std::vector<Ranked>& all) {
  std::sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) {
    return a.level != b.level ? a.level > b.level : a.index < b.index;
  });
}

}  // namespace

std::vector<FairShare::Ranked> FairShare::ranked_accounts() const {
  std::vector<double> usage(accounts_.size(), 0);
  for (const User& user : users_) usage[user.place.account] += user.usage;
  const double all = total();
  std::vector<Ranked> ranked;
  for (std::size_t a = 0; a < accounts_.size(); ++a) {
    ranked.push_back({level_of(accounts_[a].shares / all_shares_, all > 0 ? usage[a] / all : 0), a});
  }
  rank(ranked);
  return ranked;
}

/// The users of accounts that are equal.
std::vector<FairShare::Ranked> FairShare::ranked_users(std::span<const Ranked> accounts) const {
  std::vector<Ranked> ranked;
  for (const Ranked& account : accounts) {
    const std::vector<std::size_t>& users = accounts_[account.index].users;
    double usage = 0;
    for (const std::size_t u : users) usage += users_[u].usage;
    for (const std::size_t u : users) {
      const User& user = users_[u];
      const double shares = user.place.shares / accounts_[account.index].shares_of_users;
      ranked.push_back({level_of(shares, usage > 0 ? user.usage / usage : 0), u});
    }
  }
  rank(ranked);
  return ranked;
}

/// Root's user, who uses nothing, is the first. Who is equal to the one before has its rank, and so have the first
/// users of accounts that are equal to root's user.
void FairShare::end_tick() {
  if (rule_ != FairShareRule::fair_tree) return;
  const auto all = static_cast<double>(users_.size() + 1);
  const std::vector<Ranked> accounts = ranked_accounts();
  double next = all - 1, rank = all;
  for (std::size_t begin = 0, end = 0; begin < accounts.size(); begin = end) {
    while (end < accounts.size() && accounts[end].level == accounts[begin].level) ++end;
    bool tied = begin == 0 && accounts[0].level == infinity;
    double before = infinity;
    for (const Ranked& user : ranked_users(std::span(accounts).subspan(begin, end - begin))) {
      if (!(tied && user.level == before)) rank = next;
      users_[user.index].factor = rank / all;
      --next;
      tied = true;
      before = user.level;
    }
  }
}

bool FairShare::unused() const {
  return std::all_of(users_.begin(), users_.end(), [](const User& user) { return user.usage == 0; });
}

std::vector<double> FairShare::state() const {
  std::vector<double> numbers;
  for (const User& user : users_) numbers.insert(numbers.end(), {user.usage, user.factor, user.found ? 1.0 : 0.0});
  for (const Account& account : accounts_) numbers.push_back(account.part);
  return numbers;
}

void FairShare::restore(std::span<const double> state) {
  if (state.size() != numbers_a_user * users_.size() + accounts_.size()) {
    throw fault("the state in a checkpoint has another length");
  }
  const double* next = state.data();
  for (User& user : users_) {
    user.usage = *next++;
    user.factor = *next++;
    user.found = *next++ != 0;
  }
  for (Account& account : accounts_) account.part = *next++;
}

}  // namespace palstudy
