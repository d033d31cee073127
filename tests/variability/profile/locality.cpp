// SPDX-License-Identifier: MIT
#include "variability/profile/locality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

ProfileTransfer transfer(const std::string& kernel, const std::string& level, const std::string& path,
                         std::int64_t ranks, double bytes, double seconds) {
  ProfileTransfer row;
  row.kernel = kernel;
  row.level = level;
  row.path = path;
  row.ranks = ranks;
  row.bytes = bytes;
  row.seconds = seconds;
  return row;
}

/// Sums over rings of 2, 4 and 8, of 4 KiB to 64 MiB, that take exactly what alpha and beta say; times `factor`.
void add_rings(Profile& profile, const std::string& level, const std::string& path, double alpha_s, double beta,
               double factor = 1) {
  for (const double n : {2.0, 4.0, 8.0}) {
    for (double bytes = 4096; bytes < 1e8; bytes *= 8) {
      const double seconds = 2 * (n - 1) * alpha_s + 2 * (n - 1) / n * bytes / beta;
      profile.transfers.push_back(
          transfer("allreduce", level, path, static_cast<std::int64_t>(n), bytes, factor * seconds));
    }
  }
}

TEST(Locality, FindsPlantedLinks) {
  Profile profile;
  add_rings(profile, "node", "peer", 5e-6, 130e9);
  add_rings(profile, "cabinet", "mpi-host", 2e-5, 20e9);
  add_rings(profile, "cluster", "mpi-host", 3e-5, 12.5e9);
  const auto found = fit_locality(profile, "p.h5");
  EXPECT_TRUE(found.notes.empty());
  EXPECT_NEAR(found.at(Level::node).alpha_s, 5e-6, 1e-12);
  EXPECT_NEAR(1 / found.at(Level::node).seconds_per_byte, 130e9, 1e3);
  EXPECT_NEAR(found.at(Level::cabinet).alpha_s, 2e-5, 1e-12);
  EXPECT_NEAR(1 / found.at(Level::cluster).seconds_per_byte, 12.5e9, 1e3);
  EXPECT_EQ(found.at(Level::cluster).points, 15U);
  EXPECT_EQ(found.at(Level::cluster).path, "mpi-host");
  EXPECT_LT(found.at(Level::node).residual, 1e-9);
}

// Sessions that were 10 % slower and 10 % faster leave the median; a time that is not there leaves nothing.
TEST(Locality, TakesTheMedianOfSessions) {
  Profile profile;
  for (const double factor : {0.9, 1.0, 1.1}) add_rings(profile, "node", "peer", 5e-6, 130e9, factor);
  profile.transfers.push_back(transfer("allreduce", "node", "nccl", 2, 4096, NAN));
  const auto found = fit_locality(profile, "p.h5");
  EXPECT_NEAR(found.at(Level::node).alpha_s, 5e-6, 1e-12);
  EXPECT_EQ(found.at(Level::node).path, "peer");
}

// Copies stand for sums where no sum was measured: t = alpha + S / beta.
TEST(Locality, TakesCopiesWhereThereAreNoSums) {
  Profile profile;
  add_rings(profile, "node", "peer", 5e-6, 130e9);
  profile.transfers.push_back(transfer("link", "node", "peer", 2, 1e3, 1));  // not used: there are sums
  for (const double bytes : {1e4, 1e6, 1e8}) {
    profile.transfers.push_back(transfer("link", "cluster", "mpi-host", 2, bytes, 1e-5 + bytes / 10e9));
  }
  const auto found = fit_locality(profile, "p.h5");
  EXPECT_EQ(found.at(Level::node).kernel, "allreduce");
  EXPECT_NEAR(found.at(Level::node).alpha_s, 5e-6, 1e-12);
  EXPECT_EQ(found.at(Level::cluster).kernel, "link");
  EXPECT_NEAR(found.at(Level::cluster).alpha_s, 1e-5, 1e-12);
  EXPECT_NEAR(1 / found.at(Level::cluster).seconds_per_byte, 10e9, 1e2);
}

// Sums by way of the host say nothing of what copies between peers could do: the faster path counts, be it of copies.
TEST(Locality, CopiesOnAFasterPathGoBeforeSums) {
  Profile profile;
  add_rings(profile, "node", "mpi-host", 1e-5, 10e9);
  for (const double bytes : {1e4, 1e6, 1e8}) {
    profile.transfers.push_back(transfer("link", "node", "peer", 2, bytes, 2e-6 + bytes / 130e9));
    profile.transfers.push_back(transfer("link", "node", "mpi-host", 2, bytes, bytes / 500e9));  // has sums
  }
  const auto found = fit_locality(profile, "p.h5");
  EXPECT_EQ(found.at(Level::node).path, "peer");
  EXPECT_EQ(found.at(Level::node).kernel, "link");
  EXPECT_NEAR(1 / found.at(Level::node).seconds_per_byte, 130e9, 1e4);
}

// The faster of two ways is the one that a library would take.
TEST(Locality, TakesTheFastestPath) {
  Profile profile;
  add_rings(profile, "node", "mpi-host", 1e-5, 10e9);
  add_rings(profile, "node", "peer", 2e-5, 130e9);
  EXPECT_EQ(fit_locality(profile, "p.h5").at(Level::node).path, "peer");
}

// A level that was not measured takes the next wider one, the widest the next narrower; and it is said.
TEST(Locality, StandsInForLevelsThatWereNotMeasured) {
  Profile wide;
  add_rings(wide, "node", "peer", 5e-6, 130e9);
  add_rings(wide, "cluster", "mpi-host", 3e-5, 12.5e9);
  const auto from_wider = fit_locality(wide, "p.h5");
  EXPECT_EQ(from_wider.at(Level::cabinet).seconds_per_byte, from_wider.at(Level::cluster).seconds_per_byte);
  EXPECT_EQ(from_wider.at(Level::cabinet).points, 0U);
  EXPECT_EQ(from_wider.at(Level::cabinet).from, Level::cluster);
  Profile narrow;
  add_rings(narrow, "node", "peer", 5e-6, 130e9);
  const auto from_narrower = fit_locality(narrow, "p.h5");
  EXPECT_EQ(from_narrower.at(Level::cluster).from, Level::node);
}

// Times that fall as messages grow fit no positive 1 / beta: it is 0, and alpha is what fits best without.
TEST(Locality, NeverFitsANegativeCost) {
  Profile profile;
  for (const auto& [bytes, seconds] : {std::pair(1e3, 2e-5), std::pair(1e4, 1e-5)}) {
    profile.transfers.push_back(transfer("link", "node", "peer", 2, bytes, seconds));
  }
  const auto flat = fit_locality(profile, "p.h5");
  EXPECT_EQ(flat.at(Level::node).seconds_per_byte, 0);
  EXPECT_GT(flat.at(Level::node).alpha_s, 1e-5);
  EXPECT_LT(flat.at(Level::node).alpha_s, 2e-5);
  profile.transfers[1].seconds = 1e-3;  // fifty times as long for ten times the bytes
  const auto steep = fit_locality(profile, "p.h5");
  EXPECT_EQ(steep.at(Level::node).alpha_s, 0);
}

// By hand, with 1 / beta = 0: x = 1 / t is 5e4 and 1e5, alpha = sum x / sum x^2 = 1.2e-5, the fit is off by -0.4 and
// 0.2. With alpha = 0: y = bytes / t is 5e7 and 1e7, 1 / beta = 6e7 / 2.6e15. What moved nothing, or between fewer than
// two ranks, or took no time, is no point.
TEST(Locality, SaysHowFarTheFitIsOff) {
  Profile profile;
  for (const auto& [bytes, seconds] : {std::pair(1e3, 2e-5), std::pair(1e4, 1e-5)}) {
    profile.transfers.push_back(transfer("link", "node", "peer", 2, bytes, seconds));
  }
  profile.transfers.push_back(transfer("link", "node", "peer", 2, 0, 1e-3));
  profile.transfers.push_back(transfer("link", "node", "peer", 1, 1e5, 1e-3));
  profile.transfers.push_back(transfer("link", "node", "peer", 2, 1e6, 0));
  const LevelLink flat = fit_locality(profile, "p.h5").at(Level::node);
  EXPECT_EQ(flat.points, 2U);
  EXPECT_NEAR(flat.alpha_s, 1.2e-5, 1e-15);
  EXPECT_NEAR(flat.residual, std::sqrt((0.16 + 0.04) / 2), 1e-9);
  profile.transfers[1].seconds = 1e-3;
  const LevelLink steep = fit_locality(profile, "p.h5").at(Level::node);
  const double per_byte = 6e7 / 2.6e15, first = 5e7 * per_byte - 1, second = 1e7 * per_byte - 1;
  EXPECT_NEAR(steep.seconds_per_byte / per_byte, 1, 1e-9);
  EXPECT_NEAR(steep.residual, std::sqrt((first * first + second * second) / 2), 1e-9);
}

TEST(Locality, RefusesProfilesWithoutTransfers) {
  Profile profile;
  EXPECT_EQ(error_of([&] { (void)fit_locality(profile, "p.h5"); }).code(), ErrorCode::data);
  profile.transfers.push_back(transfer("link", "node", "peer", 2, 1e3, 1e-5));
  const Error one_size = error_of([&] { (void)fit_locality(profile, "p.h5"); });
  EXPECT_NE(std::string(one_size.what()).find("two sizes"), std::string::npos);
}

LocalityModel two_bandwidths() {
  LocalityModel links;
  links.levels[0].seconds_per_byte = 1 / 130e9;
  links.levels[1].seconds_per_byte = links.levels[2].seconds_per_byte = 1 / 12.5e9;
  return links;
}

// By hand, 8 GPUs, 12.5 against 130 GB/s, nothing hidden: 2 x 7/8 x 102 MB are 178.5 MB, 14.28 ms and 1.373 ms beside
// 175.4 ms. VGG-19: 1006.25 MB, 80.5 and 7.740 ms beside 300.6. BERT-large: 2380 MB, 190.4 and 18.31 ms beside 179.
TEST(Locality, PenaltiesByHand) {
  const auto links = two_bandwidths();
  const auto cluster = [&](double bytes, double iteration_s) {
    return measured_penalty(links, {bytes, iteration_s}, 8, 0).cluster;
  };
  EXPECT_NEAR(cluster(102e6, 0.1754), (175.4 + 14.28) / (175.4 + 1.373), 1e-4);  // 1.073
  EXPECT_NEAR(cluster(102e6, 0.1754), 1.073, 5e-4);
  EXPECT_NEAR(cluster(575e6, 0.3006), (300.6 + 80.5) / (300.6 + 7.740), 1e-4);  // 1.236
  EXPECT_NEAR(cluster(1.36e9, 0.179), (179 + 190.4) / (179 + 18.31), 1e-4);     // 1.872
  EXPECT_EQ(measured_penalty(links, {102e6, 0.1754}, 8, 0).node, 1);
}

// One GPU exchanges nothing; what is hidden costs nothing; more GPUs send nearer to twice the bytes.
TEST(Locality, PenaltiesOfOneGpuAndOfHiddenExchange) {
  const auto links = two_bandwidths();
  EXPECT_EQ(measured_penalty(links, {1e9, 0.1}, 1, 0), (LocalityPenalty{1, 1, 1}));
  EXPECT_EQ(measured_penalty(links, {0, 0.1}, 8, 0), (LocalityPenalty{1, 1, 1}));
  EXPECT_EQ(measured_penalty(links, {1e9, 0.1}, 8, 1), (LocalityPenalty{1, 1, 1}));
  const double half = measured_penalty(links, {1e9, 0.1}, 8, 0.5).cluster;
  EXPECT_EQ(half, measured_penalty(links, {0.5e9, 0.1}, 8, 0).cluster);
  EXPECT_LT(measured_penalty(links, {1e9, 0.1}, 2, 0).cluster, measured_penalty(links, {1e9, 0.1}, 16, 0).cluster);
}

// Which levels were not measured, and which stands for each: the next wider, else the next narrower.
TEST(Locality, SaysWhichLevelStandsForWhich) {
  const auto notes = [](const std::vector<std::string>& levels) {
    Profile profile;
    for (const std::string& level : levels) add_rings(profile, level, "peer", 5e-6, 130e9);
    return fit_locality(profile, "p.h5").notes;
  };
  const auto said = [](const std::string& level, const std::string& other) {
    return Note{"few-links", Severity::care, "p.h5", {{"level", level}, {"stand_in", other}}};
  };
  using Notes = std::vector<Note>;
  EXPECT_EQ(notes({"node"}), (Notes{said("cabinet", "node"), said("cluster", "node")}));
  EXPECT_EQ(notes({"cabinet"}), (Notes{said("node", "cabinet"), said("cluster", "cabinet")}));
  EXPECT_EQ(notes({"cluster"}), (Notes{said("node", "cluster"), said("cabinet", "cluster")}));
  EXPECT_EQ(notes({"node", "cabinet"}), Notes{said("cluster", "cabinet")});
  EXPECT_EQ(notes({"node", "cluster"}), Notes{said("cabinet", "cluster")});
  EXPECT_EQ(notes({"cabinet", "cluster"}), Notes{said("node", "cabinet")});
}

// Each level by its own link: a ring of four sends six messages. By hand, of 10, 20 and 50 ms beside a second of
// computing: 1.06, 1.12 and 1.3 s, and where half is hidden 1.03, 1.06 and 1.15 s.
TEST(Locality, PenaltiesOfEachLevel) {
  LocalityModel links;
  links.levels[0].alpha_s = 0.01;
  links.levels[1].alpha_s = 0.02;
  links.levels[2].alpha_s = 0.05;
  const LocalityPenalty whole = measured_penalty(links, {1e6, 1}, 4, 0),
                        half = measured_penalty(links, {1e6, 1}, 4, 0.5);
  EXPECT_EQ(whole.node, 1);
  EXPECT_NEAR(whole.cabinet, 1.12 / 1.06, 1e-12);
  EXPECT_NEAR(whole.cluster, 1.3 / 1.06, 1e-12);
  EXPECT_NEAR(half.cabinet, 1.06 / 1.03, 1e-12);
  EXPECT_NEAR(half.cluster, 1.15 / 1.03, 1e-12);
}

}  // namespace
}  // namespace palstudy
