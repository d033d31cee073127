// SPDX-License-Identifier: MIT
#include "core/large_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace palstudy {
namespace {

// A value and its place in memory for every size around that from which on pages are huge: an array keeps what it had
// while it grows from ordinary memory into huge pages, and large ones begin with a page.
TEST(LargeArray, KeepsItsValuesAcrossTheKindsOfMemory) {
  using Pages = HugePages<std::uint64_t>;
  constexpr std::size_t edge = Pages::least / sizeof(std::uint64_t);
  for (const std::size_t size : {std::size_t{1}, edge - 1, edge, edge + 1, 3 * edge + 5}) {
    LargeArray<std::uint64_t> array(size / 2 + 1);
    std::iota(array.begin(), array.end(), std::uint64_t{0});
    array.resize(size);
    std::iota(array.begin() + static_cast<std::ptrdiff_t>(size / 2), array.end(), std::uint64_t{size / 2});
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(array[i], i) << size;
    const auto address = reinterpret_cast<std::uintptr_t>(array.data());
    EXPECT_TRUE(size < edge || address % Pages::page == 0) << size;
    const LargeArray<std::uint64_t> copy = array;
    EXPECT_EQ(copy, array);
  }
}

TEST(LargeArray, NewEntriesAreZero) {
  const LargeArray<double> array(1 << 20);
  for (const double value : array) ASSERT_EQ(value, 0);
}

}  // namespace
}  // namespace palstudy
