// SPDX-License-Identifier: MIT
#include "workload/predict/close_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace palstudy {
namespace {

constexpr std::size_t long_query = 200;  // from which frequent bytes begin no block

struct Block {
  std::size_t a, b, size;
};

std::size_t byte(char c) { return static_cast<unsigned char>(c); }

class Matcher {
 public:
  Matcher(std::string_view a, std::string_view b) : a_(a), b_(b), lengths_(b.size() + 1), before_(b.size() + 1) {
    for (std::size_t j = 0; j < b.size(); ++j) places_[byte(b[j])].push_back(j);
    if (b.size() < long_query) return;
    for (auto& places : places_) {
      if (places.size() > b.size() / 100 + 1) places.clear();
    }
  }

  /// Matched bytes within a[a_begin, a_end) and b[b_begin, b_end).
  std::size_t matched(std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end) {
    if (a_begin >= a_end || b_begin >= b_end) return 0;
    const Block block = longest(a_begin, a_end, b_begin, b_end);
    if (block.size == 0) return 0;
    return block.size + matched(a_begin, block.a, b_begin, block.b) +
           matched(block.a + block.size, a_end, block.b + block.size, b_end);
  }

 private:
  Block longest(std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end) {
    Block best{a_begin, b_begin, 0};
    std::ranges::fill(before_, 0);
    for (std::size_t i = a_begin; i < a_end; ++i) {
      std::ranges::fill(lengths_, 0);
      for (const std::size_t j : places_[byte(a_[i])]) {
        if (j < b_begin || j >= b_end) continue;
        const std::size_t size = before_[j] + 1;  // of the block that ends at i and j
        lengths_[j + 1] = size;
        if (size > best.size) best = {i + 1 - size, j + 1 - size, size};
      }
      lengths_.swap(before_);
    }
    // Bytes that begin no block lengthen one.
    while (best.a > a_begin && best.b > b_begin && a_[best.a - 1] == b_[best.b - 1]) {
      --best.a, --best.b, ++best.size;
    }
    while (best.a + best.size < a_end && best.b + best.size < b_end &&
           a_[best.a + best.size] == b_[best.b + best.size]) {
      ++best.size;
    }
    return best;
  }

  std::string_view a_, b_;
  std::array<std::vector<std::size_t>, 256> places_;  // in b, of the bytes that begin blocks
  std::vector<std::size_t> lengths_, before_;         // by place in b + 1: of the block that ends there
};

double ratio_of(std::size_t matched, std::size_t bytes) {
  return bytes == 0 ? 1.0 : 2.0 * static_cast<double>(matched) / static_cast<double>(bytes);
}

using Counts = std::array<std::size_t, 256>;

Counts counts_of(std::string_view text) {
  Counts counts{};
  for (const char c : text) ++counts[byte(c)];
  return counts;
}

/// A ratio that no arrangement of the bytes exceeds.
double highest_ratio(const Counts& a, const Counts& b, std::size_t bytes) {
  std::size_t common = 0;
  for (std::size_t i = 0; i < a.size(); ++i) common += std::min(a[i], b[i]);
  return ratio_of(common, bytes);
}

}  // namespace

double name_ratio(std::string_view candidate, std::string_view query) {
  return ratio_of(Matcher(candidate, query).matched(0, candidate.size(), 0, query.size()),
                  candidate.size() + query.size());
}

std::vector<std::uint32_t> close_names(std::string_view query, std::span<const std::string> names, std::size_t most,
                                       double least) {
  const Counts of_query = counts_of(query);
  std::vector<std::pair<double, std::uint32_t>> close;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (highest_ratio(counts_of(names[i]), of_query, names[i].size() + query.size()) < least) continue;
    const double ratio = name_ratio(names[i], query);
    if (ratio >= least) close.emplace_back(ratio, i);
  }
  std::ranges::sort(close, [&](const auto& x, const auto& y) {
    return x.first != y.first ? x.first > y.first : names[x.second] > names[y.second];
  });
  std::vector<std::uint32_t> best;
  for (std::size_t i = 0; i < std::min(most, close.size()); ++i) best.push_back(close[i].second);
  return best;
}

std::string_view name_prefix(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t separator = name.find_last_of("_-/: ");
  std::string_view prefix = name;
  if (separator != std::string_view::npos) {
    if (name.find_first_of(digits, separator) != std::string_view::npos) prefix = name.substr(0, separator);
  } else {
    prefix = name.substr(0, name.find_last_not_of(digits) + 1);
  }
  return prefix.empty() ? name : prefix;
}

std::vector<std::uint32_t> name_prefixes(const std::vector<std::string>& names) {
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> of_name;
  of_name.reserve(names.size());
  for (const std::string& name : names) {
    of_name.push_back(numbers.emplace(name_prefix(name), static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return of_name;
}

}  // namespace palstudy
