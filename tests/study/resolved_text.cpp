// SPDX-License-Identifier: MIT
// What a study sets beside its defaults: a reader of a gain must see it, whichever key it is.
#include "study/resolved_text.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class ChangedSettings : public Scratch {
 protected:
  [[nodiscard]] std::vector<std::string> of(const std::string& more, const std::vector<std::string>& told = {}) const {
    std::vector<std::string> texts;
    for (const auto& [key, value] : changed_settings(read(minimal + "cluster.gpus = 8\n" + more), told)) {
      texts.push_back(key);
      texts.back() += " = " + value;
    }
    return texts;
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

// What nodes, tenants and partitions do to jobs is named too.
TEST_F(ChangedSettings, OfEverySectionThatDecidesService) {
  EXPECT_EQ(of("cluster.outliers = \"single\"\n"), Keys{"cluster.outliers = \"single\""});
  EXPECT_EQ(of("cluster.outages = \"o.csv\"\n"), Keys{"cluster.outages = \"o.csv\""});
  EXPECT_EQ(of("routing.max_moves = 9\n"), Keys{"routing.max_moves = 9"});
  EXPECT_EQ(of("cluster.seed = 4\nmeasure.end_s = 1e6\nworkload.seed = 4\n"), Keys{});
}

// Up to 60 characters, quotes included, a value is written out: las2d takes one threshold and spaces behind it.
TEST_F(ChangedSettings, LongValuesAreLeftOut) {
  const auto of_length = [&](std::size_t length) {
    const std::string text = "\"1" + std::string(length - 3, ' ') + "\"";
    return of("policy.order = \"las2d\"\npolicy.thresholds = " + text + "\n", {"policy.order"});
  };
  EXPECT_EQ(of_length(60), Keys{"policy.thresholds = \"1" + std::string(57, ' ') + "\""});
  EXPECT_EQ(of_length(61), Keys{"policy.thresholds = ..."});
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
