// SPDX-License-Identifier: MIT
#include "archive/pseudonyms.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr std::size_t key_bytes = 32, shown_digits = 16;
constexpr std::size_t least_inside = 4;  // characters of a secret that is looked for inside of words

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool in_word(char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.'; }
bool ends_path(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("\"'`,;()<>|&").find(c) != std::string_view::npos;
}

/// 8-4-4-4-12 hexadecimal digits anywhere in a word: what drivers and systems give as UUID.
bool has_uuid(std::string_view word) {
  constexpr std::array<std::size_t, 5> groups = {8, 4, 4, 4, 12};
  constexpr std::size_t length = 36;
  for (std::size_t begin = 0; begin + length <= word.size(); ++begin) {
    std::size_t at = begin;
    bool good = true;
    for (std::size_t g = 0; g < groups.size() && good; ++g) {
      if (g > 0) good = word[at++] == '-';
      for (std::size_t i = 0; i < groups[g] && good; ++i)
        good = std::isxdigit(static_cast<unsigned char>(word[at++])) != 0;
    }
    if (good) return true;
  }
  return false;
}

bool has_letter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

/// Whether what stands at `place` is a word of its own.
bool alone(std::string_view text, std::size_t place, std::size_t size) {
  return (place == 0 || !is_alnum(text[place - 1])) && (place + size == text.size() || !is_alnum(text[place + size]));
}

/// Where the word of a command line ends that begins at `at`: in quotes it may hold blanks (cli/command_line.hpp).
std::size_t end_of_word(std::string_view line, std::size_t at) {
  const std::size_t blank = std::min(line.find_first_of(" \n", at), line.size());
  if (at == line.size() || line[at] != '\'') return blank;
  for (std::size_t quote = line.find('\'', at + 1); quote != line.npos; quote = line.find('\'', quote + 1)) {
    if (quote + 1 == line.size() || line[quote + 1] == ' ' || line[quote + 1] == '\n') return quote + 1;
  }
  return blank;
}

std::string_view without_quotes(std::string_view word) {
  const bool quoted = word.size() > 1 && word.front() == '\'' && word.back() == '\'';
  return quoted ? word.substr(1, word.size() - 2) : word;
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to, bool inside) {
  std::string made;
  std::size_t at = 0;
  for (std::size_t place = text.find(from); place != std::string::npos; place = text.find(from, place)) {
    if (inside || alone(text, place, from.size())) {
      made.append(text, at, place - at).append(to);
      at = place += from.size();
    } else {
      ++place;
    }
  }
  return made.append(text, at);
}

}  // namespace

Pseudonyms::Pseudonyms() : key_(key_bytes, '\0') {
  // Not of core/random.hpp: whoever can make the key again can look names up.
  if (RAND_bytes(reinterpret_cast<unsigned char*>(key_.data()), static_cast<int>(key_.size())) != 1) {
    throw fault("the system gives no random numbers for a key");
  }
}

void Pseudonyms::add(const std::string& name) {
  if (ranked_) throw fault("a name that comes too late");
  if (!name.empty()) names_.emplace(name, "");
}

void Pseudonyms::add_secret(const std::string& name) {
  // Names that every system has tell nothing of this one.
  static const std::set<std::string> common = {"root", "nobody", "unknown", "localhost", "(none)"};
  if (name.size() < 2 || common.contains(name)) return;
  add(name);
  secrets_.insert(name);
}

void Pseudonyms::rank_names() {
  if (ranked_) return;
  ranked_ = true;
  const std::size_t digits = std::to_string(names_.size()).size();
  std::size_t rank = 0;
  for (auto& [name, made] : names_) made = fmt::format("anon-{:0{}}-{}", rank++, digits, hash(name));
}

std::string Pseudonyms::hash(std::string_view name) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
           reinterpret_cast<const unsigned char*>(name.data()), name.size(), sum.data(), &size) == nullptr) {
    throw fault("HMAC failed");
  }
  std::string hex;
  for (std::size_t i = 0; i < shown_digits / 2; ++i) hex += fmt::format("{:02x}", sum[i]);
  return hex;
}

std::string Pseudonyms::of(const std::string& name) {
  rank_names();
  if (name.empty()) return "";
  const auto known = names_.find(name);
  if (known == names_.end()) throw fault("a name that was not added");
  return known->second;
}

std::string Pseudonyms::of_path(std::string_view path) const {
  const std::size_t dot = path.rfind('.');
  constexpr std::size_t longest = 5;
  const bool ending = dot != std::string_view::npos && dot + 1 < path.size() && path.size() - dot <= longest &&
                      std::all_of(path.begin() + static_cast<std::ptrdiff_t>(dot) + 1, path.end(), is_alnum);
  return fmt::format("path-{}{}", hash(path), ending ? path.substr(dot) : "");
}

std::string Pseudonyms::of_word(std::string_view word) {
  constexpr std::size_t least = 2;
  if (word.size() >= least && has_letter(word)) {
    if (const auto known = names_.find(word); known != names_.end()) return known->second;
    const std::string_view first = word.substr(0, word.find('.'));  // node1.site.org, where node1 is known
    if (const auto known = names_.find(first); first.size() >= least && has_letter(first) && known != names_.end()) {
      return known->second;
    }
  }
  if (has_uuid(word)) return "uuid-" + hash(word);
  return std::string(word);
}

std::string Pseudonyms::scrub_words(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool begins = !in_word(before) && before != '/' && before != '<';
    std::size_t end = at;
    if ((c == '/' || c == '~') && begins && at + 1 < text.size() && text.substr(at, 2) != "//" &&
        !ends_path(text[at + 1])) {
      const bool quoted = before == '\'' || before == '"';
      while (end < text.size() && (quoted ? text[end] != before : !ends_path(text[end]))) ++end;
      made += of_path(text.substr(at, end - at));
    } else if (in_word(c)) {
      while (end < text.size() && in_word(text[end])) ++end;
      if (end + 1 < text.size() && text[end] == '@' && in_word(text[end + 1])) {  // user@host
        for (++end; end < text.size() && in_word(text[end]);) ++end;
        made += "mail-" + hash(text.substr(at, end - at));
      } else {
        std::string_view word = text.substr(at, end - at);
        const std::size_t last = word.find_last_not_of('.');  // the full stop of a sentence
        const std::size_t size = last == std::string_view::npos ? word.size() : last + 1;
        made += of_word(word.substr(0, size));
        made += word.substr(size);
      }
    } else {
      end = at + 1;
      made += c;
    }
    at = end;
  }
  return made;
}

std::string Pseudonyms::without_secrets(std::string text) {
  rank_names();
  std::vector<std::string> longest_first(secrets_.begin(), secrets_.end());
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const std::string& secret : longest_first) {
    text = replaced(text, secret, names_.at(secret), secret.size() >= least_inside);
  }
  return text;
}

std::string Pseudonyms::scrub(std::string_view text) {
  rank_names();
  std::string made(text);
  for (const auto& [from, to] : renamed_) made = replaced(made, from, to, false);
  // Whole paths and words first, so that what stays equal among files is the whole.
  return without_secrets(scrub_words(made));
}

std::string Pseudonyms::scrub_command(std::string_view line) {
  std::string made;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = end_of_word(line, at);
    const std::string_view as_given = line.substr(at, end - at), word = without_quotes(as_given);
    const std::size_t equals = word.starts_with('-') ? word.find('=') : std::string_view::npos;
    const std::size_t value = equals == std::string_view::npos ? 0 : equals + 1;
    const bool path = word.find('/') != std::string_view::npos;
    made += path ? std::string(word.substr(0, value)) + of_path(word.substr(value)) : std::string(as_given);
    if (end < line.size()) made += line[end];
    at = end + 1;
  }
  return scrub(made);
}

bool Pseudonyms::tells(std::string_view text) {
  rank_names();
  return without_secrets(scrub_words(text)) != text;
}

}  // namespace palstudy
