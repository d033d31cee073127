// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace palstudy {

/// What a predictor keeps by up to four numbers, the last of which says what the others are. It is looked up and never
/// iterated over, so that nothing depends on its order.
template <class Value>
class KeyedTable {
 public:
  using Key = std::array<std::uint32_t, 4>;

  [[nodiscard]] Value& operator[](const Key& key) { return values_[key]; }
  /// Null where there is nothing.
  [[nodiscard]] const Value* find(const Key& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = 0;
      for (const std::uint32_t part : key)
        hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;  // golden ratio, as in Fibonacci hashing
      return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
  };
  std::unordered_map<Key, Value, Hash> values_;
};

}  // namespace palstudy
