// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace palstudy {

/// Many sets of nodes side by side, the slots. Each is a bitmap of 64-bit words with summaries: a bit of level k + 1
/// says whether a word of level k is not empty; the last level is one word. The words of all slots for the same 64
/// nodes lie together, because a node that changes moves between several slots.
class NodeBitmaps {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t max_levels = 4;  // holds 2^24 nodes

  NodeBitmaps(std::uint32_t nodes, std::uint32_t slots) : slots_(slots) {
    std::size_t words = 0;
    std::size_t groups = nodes;
    do {
      groups = (groups + 63) / 64;
      first_word_[levels_++] = words;
      words += groups * slots;
    } while (groups > 1);
    words_.resize(words);
  }

  [[nodiscard]] std::uint32_t levels() const { return levels_; }
  [[nodiscard]] std::size_t bytes() const { return 8 * words_.size(); }

  /// One node, to be put into slots and taken out, without a branch: whether a word becomes empty is what a processor
  /// cannot predict. `levels` is `levels()`, known to the compiler; where the node's words are is worked out once.
  template <std::uint32_t levels>
  class Place {
   public:
    Place(NodeBitmaps& maps, std::uint32_t node) {
      for (std::uint32_t level = 0; level < levels; ++level, node >>= 6) {
        words_[level] = maps.words_.data() + maps.first_word_[level] + std::size_t{node >> 6} * maps.slots_;
        bit_[level] = std::uint64_t{1} << (node & 63);
      }
    }
    void insert(std::uint32_t slot) const {
      for (std::uint32_t level = 0; level < levels; ++level) words_[level][slot] |= bit_[level];
    }
    /// The node must be in `slot`. 1 if that is empty now.
    std::uint64_t remove(std::uint32_t slot) const {
      std::uint64_t emptied = 1;
      for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint64_t rest = words_[level][slot] & ~(bit_[level] & (0 - emptied));
        words_[level][slot] = rest;
        emptied = rest == 0;
      }
      return emptied;
    }

   private:
    std::uint64_t* words_[levels];  // of the node's group, by slot
    std::uint64_t bit_[levels];
  };
  /// The lowest node of the slot; the slot must not be empty.
  [[nodiscard]] std::uint32_t first(std::uint32_t slot) const { return descend(levels_, 0, slot); }
  /// The lowest node of the slot that is not under `from`, or `none`.
  [[nodiscard]] std::uint32_t first(std::uint32_t slot, std::uint32_t from) const {
    std::size_t bit = from;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      if (at(level, bit >> 6, slot) >= end(level)) return none;
      const std::uint64_t rest = words_[at(level, bit >> 6, slot)] & (~std::uint64_t{0} << (bit & 63));
      if (rest != 0) {
        const std::size_t found = (bit & ~std::size_t{63}) + static_cast<std::size_t>(std::countr_zero(rest));
        return descend(level, found, slot);
      }
      bit = (bit >> 6) + 1;
    }
    return none;
  }

 private:
  [[nodiscard]] std::size_t at(std::uint32_t level, std::size_t group, std::uint32_t slot) const {
    return first_word_[level] + group * slots_ + slot;
  }
  [[nodiscard]] std::size_t end(std::uint32_t level) const {
    return level + 1 < levels_ ? first_word_[level + 1] : words_.size();
  }
  /// From group `group` of `level` down to the lowest node under it.
  [[nodiscard]] std::uint32_t descend(std::uint32_t level, std::size_t group, std::uint32_t slot) const {
    while (level > 0) {
      --level;
      group = group * 64 + static_cast<std::size_t>(std::countr_zero(words_[at(level, group, slot)]));
    }
    return static_cast<std::uint32_t>(group);
  }

  std::uint32_t slots_;
  std::uint32_t levels_ = 0;
  std::size_t first_word_[max_levels] = {};
  std::vector<std::uint64_t> words_;
};

}  // namespace palstudy
