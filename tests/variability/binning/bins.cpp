// SPDX-License-Identifier: MIT
#include "variability/binning/bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/error.hpp"
#include "message_of.hpp"
#include "topology/topology.hpp"
#include "variability/slow_twins.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {
namespace {

constexpr BinRule published{2, true};
constexpr BinRule published_with_silhouette{0, true};
constexpr BinRule by_default{};

const Slowdowns& golden() {
  static const Slowdowns slowdowns =
      read_slowdown_table(std::string(PALSTUDY_SOURCE_DIR) + "/tests/golden/runs/cluster-64.csv",
                          Topology(std::vector{NodeGroup{16, 4}}, 16));
  return slowdowns;
}

std::vector<std::size_t> sizes(const ClassBins& bins) {
  std::vector<std::size_t> count(bins.values.size(), 0);
  for (const std::uint16_t bin : bins.of_gpu) ++count[bin];
  return count;
}

// `ordinary` twice over with a little spread, then the outliers: 200 GPUs keep mean + 3 s under 2 for a few outliers.
std::vector<double> bulk_with(std::vector<double> outliers) {
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back((i % 2 == 0 ? 0.95 : 1.05) + 1e-5 * i);
  values.insert(values.end(), outliers.begin(), outliers.end());
  return values;
}

std::string refusal(const std::vector<double>& values, const BinRule& rule) {
  return message_or_none(ErrorCode::usage, [&] { static_cast<void>(bin_class(values, rule)); });
}

// The published simulator's bins of its 64 GPUs with K = 2 + outliers: sizes per class, and the three values of class
// A. Its one outlier is GPU 35.
TEST(Bins, ArePublishedOnes) {
  const Bins bins(golden(), published);
  ASSERT_EQ(bins.classes(), 4U);
  EXPECT_EQ(sizes(bins.of(ClassId(0))), (std::vector<std::size_t>{51, 12, 1}));
  EXPECT_EQ(sizes(bins.of(ClassId(1))), (std::vector<std::size_t>{44, 20}));
  EXPECT_EQ(sizes(bins.of(ClassId(2))), (std::vector<std::size_t>{31, 33}));
  EXPECT_EQ(sizes(bins.of(ClassId(3))), (std::vector<std::size_t>{7, 57}));
  const auto& a = bins.of(ClassId(0));
  EXPECT_NEAR(a.values[0], 0.9128, 5e-5);
  EXPECT_EQ(a.values[1], 1.0);  // its own median
  EXPECT_NEAR(a.values[2], 2.5946, 5e-5);
  EXPECT_EQ(a.of_gpu[35], 2);
}

// With the silhouette in earnest K among the non-outliers is 2, 4, 3, 2; class A has one outlier more.
TEST(Bins, SilhouetteOnPublishedCluster) {
  const Bins bins(golden(), published_with_silhouette);
  EXPECT_EQ(bins.bins(ClassId(0)), 3U);
  EXPECT_EQ(bins.bins(ClassId(1)), 4U);
  EXPECT_EQ(bins.bins(ClassId(2)), 3U);
  EXPECT_EQ(bins.bins(ClassId(3)), 2U);
}

// What must hold for any class: values ascending and distinct; bins are intervals of the slowdowns, so a GPU in a lower
// bin is faster; equal slowdowns share a bin; appearance lists every bin once, in the order of the GPUs; the median of
// the values is 1; without `single_outliers` there are at most 16.
TEST(Bins, Properties) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    auto believed = twin::some_values(40 + 17 * seed, seed % 3 == 0 ? 12 : 4000, seed);
    if (seed % 2 == 0) {
      for (std::size_t i = 0; i < believed.size(); i += 29) believed[i] *= 3 + 0.1 * static_cast<double>(i);
    }
    for (const BinRule& rule :
         {by_default, published, published_with_silhouette, BinRule{5, false}, BinRule{16, false}}) {
      const ClassBins bins = bin_class(believed, rule);
      const auto& values = bins.values;
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::less_equal<>{}));
      EXPECT_LE(values.size(), rule.single_outliers ? believed.size() : max_bins);
      const std::size_t k = values.size();
      EXPECT_NEAR((values[(k - 1) / 2] + values[k / 2]) / 2, 1.0, 1e-12);

      ASSERT_EQ(bins.of_gpu.size(), believed.size());
      std::vector<double> low(k, std::numeric_limits<double>::infinity()), high(k, 0);
      std::vector<std::uint16_t> appearance;
      for (std::size_t g = 0; g < believed.size(); ++g) {
        const std::uint16_t bin = bins.of_gpu[g];
        low[bin] = std::min(low[bin], believed[g]);
        high[bin] = std::max(high[bin], believed[g]);
        if (std::find(appearance.begin(), appearance.end(), bin) == appearance.end()) appearance.push_back(bin);
      }
      for (std::size_t b = 1; b < k; ++b) EXPECT_LT(high[b - 1], low[b]) << "seed " << seed << ", bin " << b;
      EXPECT_EQ(bins.appearance, appearance);
      EXPECT_EQ(appearance.size(), k);
    }
  }
}

// Two groups by construction and no outlier: mean 1, s about 0.05, and nothing lies over 1.15.
TEST(Bins, WithoutOutliersAsManyAsAskedFor) {
  EXPECT_EQ(bin_class(bulk_with({}), by_default).values.size(), 2U);
  EXPECT_EQ(bin_class(bulk_with({}), {7, false}).values.size(), 7U);
  EXPECT_EQ(bin_class(bulk_with({}), {1, false}).values, std::vector<double>{1.0});
}

// Up to three distinct outliers get a bin each, above the two of the others, and equal ones share. mean + 3 s is at
// most 1.9 here (five outliers of 3 in 205: mean 1.05, s = 0.31).
TEST(Bins, FewOutliersHaveABinEach) {
  EXPECT_EQ(sizes(bin_class(bulk_with({3.0}), {2, false})), (std::vector<std::size_t>{100, 100, 1}));
  EXPECT_EQ(sizes(bin_class(bulk_with({3.0, 3.1, 3.2}), {2, false})), (std::vector<std::size_t>{100, 100, 1, 1, 1}));
  EXPECT_EQ(sizes(bin_class(bulk_with({3.1, 3.0, 3.1, 3.1}), {2, false})), (std::vector<std::size_t>{100, 100, 1, 3}));
}

// Four and more are binned among themselves: two groups of two. As published they would count for four bins over all.
TEST(Bins, ManyOutliersAreBinnedAmongThemselves) {
  const auto believed = bulk_with({3.0, 3.01, 3.6, 3.61});
  EXPECT_EQ(sizes(bin_class(believed, {2, false})), (std::vector<std::size_t>{100, 100, 2, 2}));
  EXPECT_EQ(bin_class(believed, {2, true}).values.size(), 6U);
}

// Values spread evenly over [1, 2) have quarters for bins, and none is over mean + 3 s. 65,536 values are clustered as
// they are; of more, 65,536 groups of two or three neighbours, so that a bin ends at most three values beside its
// quarter.
TEST(Bins, OfManyValuesEndWithinAGroupOfNeighbours) {
  for (const int quarter : {16'384, 16'385, 40'000}) {
    std::vector<double> believed;
    for (int i = 0; i < 4 * quarter; ++i) believed.push_back(1 + i / (4. * quarter));
    const int off = quarter == 16'384 ? 0 : 2 * 3;
    for (const std::size_t size : sizes(bin_class(believed, {4, false})))
      EXPECT_NEAR(static_cast<int>(size), quarter, off);
  }
}

// Sixteen bins in all: outliers keep one when all sixteen are asked for, and share what is left.
TEST(Bins, OutliersKeepABin) {
  const auto bins = bin_class(bulk_with({3.0, 3.3}), {16, false});
  EXPECT_EQ(bins.values.size(), 16U);
  EXPECT_EQ(sizes(bins).back(), 2U);
  EXPECT_EQ(bin_class(bulk_with({3.0, 3.3}), {14, false}).values.size(), 16U);
}

// 60 GPUs within 3 % of the median, one of 1.14, and six of 3 to 3.5 that make mean + 3 s more than 1.14. Where
// measurements confirm that GPUs from 1.14 on are outliers, they share no bin with the 60, who keep bins of their own.
// The published rule knows of no measurements, and a limit that all GPUs reach separates nothing.
TEST(Bins, ConfirmedOutliersAreInNoBinOfOrdinaryGpus) {
  std::vector<double> gpus;
  for (int g = 0; g < 60; ++g) gpus.push_back(0.97 + 0.06 * g / 59);
  gpus.push_back(1.14);
  for (int g = 0; g < 6; ++g) gpus.push_back(3 + 0.1 * g);
  const BinRule two{2, false};
  const auto with_1_14 = [&](const ClassBins& bins) {
    return std::count(bins.of_gpu.begin(), bins.of_gpu.begin() + 60, bins.of_gpu[60]);
  };
  EXPECT_GT(with_1_14(bin_class(gpus, two)), 0);
  const ClassBins apart = bin_class(gpus, two, 1.14);
  EXPECT_EQ(with_1_14(apart), 0);
  EXPECT_EQ(apart.of_gpu[59], 1) << "two bins of ordinary GPUs";
  const BinRule published{2, true};
  EXPECT_EQ(bin_class(gpus, published, 1.14).of_gpu, bin_class(gpus, published).of_gpu);
  EXPECT_EQ(bin_class(gpus, two, 0.5).of_gpu, bin_class(gpus, two).of_gpu);
  EXPECT_EQ(bin_class(gpus, two, 10).of_gpu, bin_class(gpus, two).of_gpu);
}

// By hand, as published: {1 x 50, 1.2 x 49, 4, 4}. mean = (50 + 58.8 + 8) / 101 = 1.156, s = 0.43, so both 4 are over
// mean + 3 s: K = 2 + 2, but there are only three distinct values. The centroids are these values, their median 1.2.
TEST(Bins, NoMoreThanDistinctValues) {
  std::vector<double> believed(50, 1.0);
  believed.insert(believed.end(), 49, 1.2);
  believed.insert(believed.end(), 2, 4.0);
  EXPECT_EQ(bin_class(believed, published).values, (std::vector<double>{1 / 1.2, 1, 4 / 1.2}));
}

// An even number of bins: the median is the mean of the middle two. {1, 3} with K = 2: 1 / 2 and 3 / 2.
TEST(Bins, MedianOfAnEvenNumber) {
  EXPECT_EQ(bin_class(std::vector<double>{3, 1, 1, 3}, {2, false}).values, (std::vector<double>{0.5, 1.5}));
}

// Values are over the median bin, and times it the mean slowdown of their GPUs.
TEST(Bins, ValuesTimesTheMedianAreSlowdowns) {
  const std::vector<double> believed = {1, 1, 1, 1.5};
  const ClassBins bins = bin_class(believed, {2, false});
  EXPECT_DOUBLE_EQ(bins.median, 1.25);
  for (std::size_t gpu = 0; gpu < believed.size(); ++gpu) {
    EXPECT_DOUBLE_EQ(bins.values[bins.of_gpu[gpu]] * bins.median, believed[gpu]);
  }
}

// Whoever knows nothing has one bin of value 1; so has one GPU. 0.1 is no sum of powers of two: a mean that is off by
// one bit would make every GPU an outlier.
TEST(Bins, FlatIsOneBin) {
  for (const BinRule& rule : {by_default, published, published_with_silhouette}) {
    for (const std::size_t n : {1, 2, 64, 1000}) {
      const ClassBins bins = bin_class(std::vector<double>(n, 0.1), rule);
      EXPECT_EQ(bins.values, std::vector<double>{1.0});
      EXPECT_EQ(bins.of_gpu, std::vector<std::uint16_t>(n, 0));
      EXPECT_EQ(bins.appearance, std::vector<std::uint16_t>{0});
    }
  }
  EXPECT_EQ(Bins(Slowdowns::flat({"A", "B"}, 8), by_default).bins(ClassId(1)), 1U);
}

// Neighbouring doubles are distinct slowdowns, but the means of their bins can round to one value: they share a bin
// then.
TEST(Bins, ValuesStayDistinctWhenRoundingJoinsThem) {
  std::vector<double> believed;
  for (double x = 1.0; believed.size() < 40; x = std::nextafter(x, 2.0)) believed.push_back(x);
  const auto values = bin_class(believed, {16, false}).values;
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::less_equal<>{}));
}

// Bins made elsewhere are given back as they are.
TEST(Bins, FromElsewhere) {
  const Bins bins(std::vector<ClassBins>{{{0.5, 2.0}, {1, 0}, {1, 0}}});
  EXPECT_EQ(bins.bins(ClassId(0)), 2U);
  EXPECT_EQ(bins.of(ClassId(0)).of_gpu, (std::vector<std::uint16_t>{1, 0}));
}

// More bins than there may be, and published outliers on a large cluster, are refused with what to do.
TEST(Bins, Refusals) {
  EXPECT_NE(refusal({1, 2}, {17, false}).find("17 bins are more than 16"), std::string::npos);
  const std::vector<double> many(1025, 1.0);
  EXPECT_NE(refusal(many, published).find("this cluster has 1025"), std::string::npos);
  EXPECT_EQ(refusal(many, by_default), "");
  EXPECT_EQ(refusal(std::vector<double>(1024, 1.0), published), "");
}

// The silhouette finds tight groups far apart, two at least and ten at most: of eleven it takes no eleven.
TEST(Bins, TheSilhouetteChoosesFromTwoToTen) {
  const auto chosen = [](int groups) {
    std::vector<double> believed;
    for (int i = 0; i < 20 * groups; ++i) believed.push_back(1 + (i % groups) / double(groups) + 1e-5 * (i / groups));
    return bin_class(believed, {0, false}).values.size();
  };
  for (const int groups : {2, 3, 9, 10}) EXPECT_EQ(chosen(groups), static_cast<std::size_t>(groups));
  EXPECT_LE(chosen(11), 10U);
}

}  // namespace
}  // namespace palstudy
