// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace palstudy {

/// A user of an account, with shares beside the account's other users.
struct AccountUser {
  std::size_t account = 0;
  double shares = 1;
};

/// Who shares a cluster: users of accounts, and which of them each job is charged to.
struct ShareTree {
  std::vector<AccountUser> users;
  std::vector<double> account_shares;      ///< by account, beside root's one
  std::vector<std::uint32_t> user_of_job;  ///< place in `users`, by job
};

/// How usage becomes a factor (Slurm's documentation of priority/multifactor).
enum class FairShareRule : std::uint8_t {
  classic,    ///< 2^(-usage / shares)
  fair_tree,  ///< by rank: accounts by shares / usage, then the users of each
};

/// The fair-share factors of users in Slurm 22.05's priority/multifactor (its documentation, and recorded runs:
/// tests/golden/runs/slurm). Usage changes at ticks alone: at each the jobs are gone through by id, running ones with
/// `add`, waiting ones with `find`.
class FairShare {
 public:
  /// `account_shares`: by account. Beside the accounts root has one share, and a user of its own. `half_life_s`: 0:
  /// usage does not decay.
  FairShare(FairShareRule rule, const std::vector<AccountUser>& users, const std::vector<double>& account_shares,
            double half_life_s);

  /// Begins a tick, `passed_s` after the one before: usage decays, and each account's part of it is found.
  void begin_tick(double passed_s);
  /// A job that runs at the tick has used so many GPUs for so long since the tick before. All of it decays as if it
  /// were as old as its first second. What a job uses between its last tick and its end is not charged.
  void add(std::size_t user, double gpus, double seconds);
  /// Finds the factor of a user by the classic rule, unless it has been found since the tick began: 2^(-UE / S). S: the
  /// user's part of all shares. UE: the user's part U of all usage, plus the share beside the account's other users
  /// times the account's part when the tick began, less U.
  void find(std::size_t user);
  /// All jobs have been gone through. Finds all factors by Fair Tree: accounts are ranked by their shares over their
  /// usage, each as a part of its siblings', and users in their accounts alike. Equal accounts are ranked as one, and
  /// equal users share a rank. A factor is the rank, from the last one up, over the number of users with root's.
  void end_tick();
  /// As it was found last; 1 before that.
  [[nodiscard]] double factor(std::size_t user) const { return users_[user].factor; }
  /// Whether a tick without a job changes nothing.
  [[nodiscard]] bool unused() const;

  /// The state as numbers, to and from a checkpoint: `numbers_a_user` a user and one an account. Errors (fault): of
  /// another length.
  [[nodiscard]] std::vector<double> state() const;
  void restore(std::span<const double> state);
  static constexpr std::size_t numbers_a_user = 3;

 private:
  struct User {
    AccountUser place;
    double usage = 0, factor = 1;
    bool found = true;
  };
  struct Account {
    double shares = 1, shares_of_users = 0;
    std::vector<std::size_t> users = {};
    double part = 0;  ///< of all usage, when the tick began
  };
  /// Something that is ranked: an account, or a user.
  struct Ranked {
    double level = 0;  ///< shares over usage; infinite without usage
    std::size_t index = 0;
  };
  [[nodiscard]] double decay(double seconds) const;
  [[nodiscard]] std::vector<Ranked> ranked_accounts() const;
  [[nodiscard]] std::vector<Ranked> ranked_users(std::span<const Ranked> accounts) const;
  [[nodiscard]] double total() const;

  FairShareRule rule_;
  std::vector<User> users_;
  std::vector<Account> accounts_;
  double all_shares_ = 1;
  double kept_a_second_;            // of usage
  double passed_s_ = 0, kept_ = 1;  // since the tick before, for which most jobs have run
};

}  // namespace palstudy
