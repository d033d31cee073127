// SPDX-License-Identifier: MIT
#include "cluster/lane_batch.hpp"

// Compiled twice where the tool chain can choose at start: whole numbers only, so that both give the same answers.
// (Thread sanitizer cannot: it is not ready yet when the choice is made.)
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define PALSTUDY_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define PALSTUDY_WIDE
#endif

namespace palstudy {
namespace {

// As in byte_lanes.hpp, with shifts for the multiplications, which vector units do not have.
Lanes sums(Lanes x) {
  x += x << 8;
  x += x << 16;
  return x + (x << 32);
}

Lanes everywhere(Lanes byte) {
  byte |= byte << 8;
  byte |= byte << 16;
  return byte | (byte << 32);
}

Lanes differing(Lanes a, Lanes b) { return (((a ^ b) + 127 * lane_ones) >> 7) & lane_ones; }

Lanes gathered(Lanes bits) {
  bits |= bits >> 7;
  bits |= bits >> 14;
  bits |= bits >> 28;
  return bits & 0xff;
}

}  // namespace

void LaneBatch::clear_counts() {
  for (std::size_t i = 0; i < size; ++i) before[0][i] = after[0][i] = 0;
}

PALSTUDY_WIDE void LaneBatch::add_row(std::uint32_t byte) {
  const std::uint32_t shift = 8 * byte;
  const std::size_t n = (size + 7) / 8 * 8;  // beyond `size` nobody looks, and whole vectors are quicker
  for (std::size_t i = 0; i < n; ++i) {
    before[0][i] += lane_popcounts(row[i] & everywhere(mask_before[i] >> shift & 0xff));
    after[0][i] += lane_popcounts(row[i] & everywhere(mask_after[i] >> shift & 0xff));
  }
}

PALSTUDY_WIDE void LaneBatch::finish(Lanes up_lanes) {
  const std::size_t n = (size + 7) / 8 * 8;
  for (std::size_t i = 0; i < n; ++i) {
    const Lanes up_before = sums(before[0][i]) + below_before[i];
    const Lanes up_after = sums(after[0][i]) + below_after[i];
    before[1][i] = lane_at_least_one(up_before);
    after[1][i] = lane_at_least_one(up_after);
    below_before[i] = everywhere(up_before >> 56);
    below_after[i] = everywhere(up_after >> 56);
    const Lanes exact = differing(before[0][i], after[0][i]);
    const Lanes up = differing(before[1][i], after[1][i]) & up_lanes;
    changed[i] = gathered(exact) | gathered(up) << 8;
    changes[i] = sums(exact + up) >> 56;
  }
}

}  // namespace palstudy
