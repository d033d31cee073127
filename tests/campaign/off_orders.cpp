// SPDX-License-Identifier: MIT
// `power.off_order` in whole studies: which nodes are off.
#include <cmath>
#include <set>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class OffOrders : public Scratch {
 protected:
  static constexpr auto timer =
      "[power]\noff = \"timer\"\nidle_s = 300\nhorizon_s = 20000\n[policy]\nplacement = \"packed-sticky\"\n";
  static double real_of(const RunRecord& record, const std::string& column) {
    for (std::size_t i = 0; i < record.runs.columns.size(); ++i) {
      if (record.runs.columns[i].name == column) return std::get<std::vector<double>>(record.runs.values[i]).at(0);
    }
    ADD_FAILURE() << "no column " << column;
    return NAN;
  }
  /// Jobs of whole nodes of four GPUs, some of which find nodes off.
  void write_jobs(const std::string& classes) const {
    write_trace_of(24, [&](int job) {
      return fmt::format("{},{},{},1,{}", 700 * job, 4 * (1 + job % 3), 300 + 170 * (job % 5),
                         classes[static_cast<std::size_t>(job) % classes.size()]);
    });
  }
};

// Of nodes that are all alike it makes no difference which are off.
TEST_F(OffOrders, OfIdenticalNodesEachGivesTheSameTimesAndEnergy) {
  write_jobs("A");
  write_cluster(24);
  write("watts.csv", "name,kind,watts,exponent\nidle,idle,44,\nA,capped,297,\n");
  const auto runs = simulate_all(read(minimal + "cluster.gpus = 24\nnetwork.penalty.cluster = 1\n" + timer +
                                      "[axes]\n\"power.watts\" = [\"watts.csv\"]\n\"power.off_order\" = [\"index\", "
                                      "\"slowest\", \"joules\", \"random\"]\n"));
  ASSERT_EQ(runs.size(), 4U);
  for (const RunRecord& run : runs) {
    EXPECT_EQ(real_of(run, "jct_mean_s"), real_of(runs[0], "jct_mean_s"));
    EXPECT_NEAR(real_of(run, "energy_j") / real_of(runs[0], "energy_j"), 1, 1e-12);
  }
  EXPECT_GT(real_of(runs[0], "power_wait_mean_s"), 0) << "no node was off when a job came";
}

// On measured nodes each order has other nodes off, so that no two of them spend the same energy on clusters of every
// source. All jobs finish.
TEST_F(OffOrders, EachHasOtherNodesOff) {
  write_jobs("AC");
  std::vector<std::vector<double>> energies(5);  // by order, then source
  for (const std::string source : {"measured", "block", "bootstrap"}) {
    const auto runs = simulate_all(
        read("workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.gpus = 48\ncluster.source = \"" +
             source + "\"\ncluster.profile = \"longhorn\"\ncluster.classes = \"trusted\"\n" + timer +
             "[axes]\n\"power.off_order\" = [\"index\", \"slowest\", \"joules\", \"hottest\", \"random\"]\n"));
    ASSERT_EQ(runs.size(), energies.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
      EXPECT_FALSE(std::isnan(real_of(runs[run], "jct_mean_s"))) << source;
      energies[run].push_back(real_of(runs[run], "energy_j"));
    }
  }
  EXPECT_EQ(std::set(energies.begin(), energies.end()).size(), energies.size());
}

}  // namespace
}  // namespace palstudy
