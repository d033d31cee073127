// SPDX-License-Identifier: MIT
#include "record/column_hasher.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace palstudy {
namespace {

// Many numbers at once are hashed as one by one, however the pieces fall: no number, one, a piece, more than a piece.
TEST(ColumnHasher, ManyRealsAreOneByOne) {
  RandomStream random(1, Purpose::job_shape, 1);
  for (const std::size_t size : {0U, 1U, 255U, 256U, 257U, 5000U}) {
    std::vector<double> numbers(size);
    for (double& number : numbers) {
      const std::uint32_t kind = random.below(8);
      number = kind == 0   ? -0.0
               : kind == 1 ? -std::numeric_limits<double>::quiet_NaN()
               : kind == 2 ? -std::numeric_limits<double>::infinity()
                           : random.uniform_positive() - 0.5;
    }
    ColumnHasher many, single;
    many.value('x');
    single.value('x');
    many.reals(numbers);
    for (const double number : numbers) {
      // By hand, what the page of the digest says: one pattern for all NaNs, and zero without a sign.
      if (std::isnan(number)) {
        single.value(std::uint64_t{0x7ff8000000000000});
      } else {
        single.value(number == 0 ? 0.0 : number);
      }
    }
    EXPECT_EQ(many.finish_hex(), single.finish_hex()) << size;
  }
}

// The same of texts, an empty one and one longer than the buffer among them.
TEST(ColumnHasher, ManyTextsAreOneByOne) {
  const std::vector<std::string> names = {"pal", "", std::string(40000, 'n'), "packed-sticky"};
  RandomStream random(2, Purpose::job_shape, 1);
  std::vector<std::int32_t> codes(3000);
  for (std::int32_t& code : codes) code = static_cast<std::int32_t>(random.below(60) == 0 ? 2 : random.below(2) * 3);
  codes[7] = 1;
  ColumnHasher many, single;
  many.texts(names, codes);
  for (const std::int32_t code : codes) single.text(names[static_cast<std::size_t>(code)]);
  EXPECT_EQ(many.finish_hex(), single.finish_hex());
}

}  // namespace
}  // namespace palstudy
