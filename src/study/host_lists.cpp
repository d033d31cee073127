// SPDX-License-Identifier: MIT
#include "study/host_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

/// The numbers of "1-4,07" with their leading zeros; none if it is something else.
std::vector<std::string> numbers_of(const std::string& ranges) {
  constexpr long long most_nodes = 1 << 20;
  std::vector<std::string> numbers;
  for (const std::string& range : split(ranges, ',')) {
    const auto dash = range.find('-');
    const std::string first = range.substr(0, dash);
    const auto from = parse_integer(first),
               to = dash == std::string::npos ? from : parse_integer(range.substr(dash + 1));
    if (!from || !to || *from < 0 || *to < *from || *to - *from > most_nodes) return {};
    for (long long i = *from; i <= *to; ++i) numbers.push_back(fmt::format("{:0{}}", i, first.size()));
  }
  return numbers;
}

/// Appends the names of one host list without commas between brackets, "r[1-2]n[1-8]", from `at` on; false if it is
/// none.
bool add_names(const std::string& prefix, const std::string& rest, std::vector<std::string>& names) {
  const auto open = rest.find('[');
  if (open == std::string::npos) {
    names.push_back(prefix + rest);
    return true;
  }
  const auto close = rest.find(']', open);
  if (close == std::string::npos) return false;
  const auto numbers = numbers_of(rest.substr(open + 1, close - open - 1));
  return !numbers.empty() && std::ranges::all_of(numbers, [&](const std::string& number) {
    return add_names(prefix + rest.substr(0, open) + number, rest.substr(close + 1), names);
  });
}

/// A name by its number, "n" and "07"; the number is empty where it has none, or one that Slurm may not read as one.
struct NumberedName {
  explicit NumberedName(const std::string& name) {
    constexpr std::size_t most_digits = 9;
    std::size_t at = name.size();
    while (at > 0 && std::isdigit(static_cast<unsigned char>(name[at - 1])) != 0) --at;
    if (name.size() - at > most_digits) at = name.size();
    prefix = name.substr(0, at), number = name.substr(at);
  }
  [[nodiscard]] long long value() const { return number.empty() ? -1 : parse_integer(number).value_or(-1); }
  std::string prefix, number;
};

/// Names of one prefix whose numbers follow each other.
struct HostRun {
  std::string prefix, first, last;
  long long count = 1;

  [[nodiscard]] bool goes_on_with(const NumberedName& name) const {
    constexpr long long most_of_a_range = 65536;  // of Slurm
    if (first.empty() || name.number.empty() || name.prefix != prefix || count == most_of_a_range) return false;
    return name.number == fmt::format("{:0{}}", parse_integer(last).value_or(0) + 1, first.size());
  }
  [[nodiscard]] std::string text() const { return count == 1 ? first : first + "-" + last; }
};

std::vector<HostRun> runs_of(const std::vector<std::string>& names) {
  std::vector<HostRun> runs;
  for (const std::string& name : names) {
    const NumberedName one(name);
    if (!runs.empty() && runs.back().goes_on_with(one))
      runs.back().last = one.number, ++runs.back().count;
    else
      runs.push_back({one.prefix, one.number, one.number});
  }
  return runs;
}

/// Whether a run can stand in one bracket with the one before it.
bool joined(const HostRun& before, const HostRun& run) {
  return before.prefix == run.prefix && !before.first.empty() && !run.first.empty();
}

std::string list_text(std::span<const HostRun> runs) {
  std::string list;
  for (std::size_t from = 0, to = 0; from < runs.size(); from = to) {
    std::string numbers = runs[from].text();
    for (to = from + 1; to < runs.size() && joined(runs[to - 1], runs[to]); ++to) numbers += "," + runs[to].text();
    if (from > 0) list += ",";
    list += runs[from].prefix + (to == from + 1 && runs[from].count == 1 ? numbers : "[" + numbers + "]");
  }
  return list;
}

}  // namespace

std::vector<std::string> host_names(const std::string& text, const std::string& where) {
  std::vector<std::string> names;
  std::string one;
  int open = 0;
  for (const char c : text + ",") {
    open += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c != ',' || open > 0) {
      one += c;
      continue;
    }
    if (!one.empty() && !add_names("", one, names)) {
      throw data_error(fmt::format("\"{}\" is no list of nodes", text), where, "names as in n[1-16] or a1,a2");
    }
    one.clear();
  }
  if (!one.empty()) throw data_error(fmt::format("\"{}\" is no list of nodes", text), where, "a bracket is not closed");
  return names;
}

std::vector<std::string> host_lists(const std::vector<std::string>& names, std::size_t most_characters) {
  const std::vector<HostRun> runs = runs_of(names);
  std::vector<std::string> lists;
  std::size_t from = 0, length = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    constexpr std::size_t brackets = 2;
    const std::size_t numbers = runs[i].text().size() + 1, whole = runs[i].prefix.size() + brackets + numbers;
    const std::size_t more = i > from && joined(runs[i - 1], runs[i]) ? numbers : whole;
    if (i > from && more > most_characters - std::min(length, most_characters)) {
      lists.push_back(list_text(std::span(runs).subspan(from, i - from)));
      from = i, length = whole;
    } else {
      length += more;
    }
  }
  if (!runs.empty()) lists.push_back(list_text(std::span(runs).subspan(from)));
  return lists;
}

std::string host_list(const std::vector<std::string>& names) {
  return names.empty() ? std::string() : host_lists(names, std::numeric_limits<std::size_t>::max()).front();
}

std::vector<std::string> in_host_order(std::vector<std::string> names) {
  std::vector<std::tuple<std::string, long long, std::string>> keyed;
  keyed.reserve(names.size());
  for (std::string& name : names) {
    const NumberedName one(name);
    keyed.emplace_back(one.prefix, one.value(), std::move(name));
  }
  std::ranges::sort(keyed);
  names.clear();
  std::ranges::transform(keyed, std::back_inserter(names), [](auto& key) { return std::move(std::get<2>(key)); });
  return names;
}

}  // namespace palstudy
