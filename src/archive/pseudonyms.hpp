// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace palstudy {

/// What names of hosts, users, accounts, devices and paths become in files that are shown to strangers: keyed hashes
/// (HMAC-SHA256 under a random key that is kept nowhere). Equal names stay equal among all that one object replaces,
/// and nobody can try names until the hash fits. Names that are told to `add` also keep their order, by their rank in
/// front of the hash: what is drawn from measured nodes depends on the order of their names.
class Pseudonyms {
 public:
  /// Draws the key. Errors (fault): the system has no random numbers.
  Pseudonyms();
  /// With that key, for tests.
  explicit Pseudonyms(std::string key) : key_(std::move(key)) {}

  /// A name of a field of its own (a host, a UUID): replaced whole by `of`, and by `scrub` where it is a word. "" is
  /// none. Only before the first `of` or `scrub`.
  void add(const std::string& name);
  /// A name that `scrub` also replaces inside of longer words: a user, an account, this host. Shorter than four
  /// characters, only as a word. Only before the first `of` or `scrub`.
  void add_secret(const std::string& name);
  /// What `scrub` writes in place of a path as a study has it.
  void rename(const std::string& from, const std::string& to) { renamed_[from] = to; }

  /// Instead of a name that was added; "" for "".
  [[nodiscard]] std::string of(const std::string& name);
  /// Instead of a whole path, blanks and all. Its ending stays: it says what kind of file it was.
  [[nodiscard]] std::string of_path(std::string_view path) const;
  /// A text with everything replaced that was added, paths from the root or from a home folder, UUIDs, and user@host.
  [[nodiscard]] std::string scrub(std::string_view text);
  /// The same of a command line, in which every word with a slash is a path.
  [[nodiscard]] std::string scrub_command(std::string_view line);
  /// Whether `scrub` would replace anything in it, paths that were renamed left out.
  [[nodiscard]] bool tells(std::string_view text);

 private:
  void rank_names();
  [[nodiscard]] std::string hash(std::string_view name) const;
  [[nodiscard]] std::string of_word(std::string_view word);
  [[nodiscard]] std::string without_secrets(std::string text);
  [[nodiscard]] std::string scrub_words(std::string_view text);

  std::string key_;
  std::map<std::string, std::string, std::less<>> names_;  ///< name -> what it becomes, once they are ranked
  std::set<std::string> secrets_;
  std::map<std::string, std::string> renamed_;
  bool ranked_ = false;
};

}  // namespace palstudy
