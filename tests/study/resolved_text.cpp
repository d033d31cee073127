// SPDX-License-Identifier: MIT
// What a study sets beside its defaults: a reader of a gain must see it, whichever key it is.
#include "study/resolved_text.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class ChangedSettings : public Scratch {
 protected:
  [[nodiscard]] std::vector<std::string> of(const std::string& more, const std::vector<std::string>& told = {}) const {
    return changed_settings(read(minimal + "cluster.gpus = 8\n" + more), told);
  }
};
using Keys = std::vector<std::string>;

// A default that is written down is none; neither is a key that chooses the jobs, the seed or the tables.
TEST_F(ChangedSettings, DefaultsAreNotNamed) {
  EXPECT_EQ(of(""), Keys{});
  EXPECT_EQ(of("engine.round_s = 360\ncluster.partitions = 1\n"), Keys{});
  EXPECT_EQ(of("seed = 5\npolicy.seed = 9\noutput.events = true\nengine.checkpoint_s = 60\n"), Keys{});
}

TEST_F(ChangedSettings, EveryOtherValueIsNamed) {
  EXPECT_EQ(of("engine.round_s = 3600\ncluster.partitions = 2\ncluster.bins = 1\n"),
            (Keys{"cluster.bins = 1", "cluster.partitions = 2", "engine.round_s = 3600.0"}));
  EXPECT_EQ(of("interference.intra = 1.5\n"), Keys{"interference.intra = 1.5"});
  EXPECT_EQ(of("engine.starvation_s = 600\n"), Keys{"engine.starvation_s = 600.0"});
}

// The penalty that policies believe is by default the network's, whichever that is, and that of a cabinet the
// cluster's.
TEST_F(ChangedSettings, ADefaultMayFollowAnotherKey) {
  const std::string network = "network.penalty = { node = 1.0, cluster = 2.0 }\n";
  EXPECT_EQ(of(network, {"network.penalty"}), Keys{});
  EXPECT_EQ(of(network + "policy.locality.cluster = 3\n", {"network.penalty"}),
            (Keys{"policy.locality.cabinet = 3.0", "policy.locality.cluster = 3.0"}));
  EXPECT_FALSE(of(network).empty()) << "it was told elsewhere, here it is not";
}

// An axis stands in the rows themselves.
TEST_F(ChangedSettings, AxesAreNotNamed) { EXPECT_EQ(of("axes.\"engine.round_s\" = [360, 3600]\n"), Keys{}); }

// Without failures.model the other keys of [failures] mean nothing and are refused: the model is named all the same.
TEST_F(ChangedSettings, AKeyThatOthersNeedIsNamed) {
  EXPECT_EQ(of("failures.model = \"philly\"\nfailures.retries = 1\n"),
            (Keys{"failures.model = \"philly\"", "failures.retries = 1"}));
}

}  // namespace
}  // namespace palstudy
