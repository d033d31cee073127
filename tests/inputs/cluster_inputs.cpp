// SPDX-License-Identifier: MIT
// The clusters of a study as files.
#include "inputs/cluster_inputs.hpp"

#include <fmt/format.h>

#include "campaign/campaign_info.hpp"
#include "campaign/scratch.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "inputs/inputs.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

class Clusters : public Scratch {
 protected:
  Clusters() { write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,10,1.0,A\n"); }
  Study study_of(const std::string& cluster) {
    return read("[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\nsource = \"block\"\n" + cluster);
  }
};

// Up to 65,536 GPUs an archive holds the slowdowns and says how they were made; above that only the latter. A study
// made of the recipe has the same cluster.
TEST_F(Clusters, LargeOnesAreArchivedAsTheirRecipe) {
  const Study study = study_of("seed = 7\n[axes]\n\"cluster.gpus\" = [65536, 65540]\n");
  Inputs inputs(study);
  const auto archived = archived_clusters(study, inputs);
  ASSERT_EQ(archived.size(), 2U);
  EXPECT_EQ(archived[0].slowdowns.gpus(), 65536U);
  EXPECT_EQ(archived[1].slowdowns.gpus(), 0U);
  EXPECT_EQ(archived[0].recipe.size(), archived[1].recipe.size());
  std::string recipe = "[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\n";
  for (const auto& line : archived[1].recipe) recipe += line + "\n";
  const Study again = read(recipe);
  Inputs of_again(again);
  EXPECT_EQ(of_again.cluster_key(again.runs[0]), archived[1].key);
}

// A table has no recipe and no source to be compared with.
TEST_F(Clusters, TablesStayWhole) {
  write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1.0\n1,0,A,1.5\n");
  const Study study = read(minimal + "cluster.gpus = 2\ncluster.gpus_per_node = 2\n");
  Inputs inputs(study);
  const auto archived = archived_clusters(study, inputs);
  ASSERT_EQ(archived.size(), 1U);
  EXPECT_TRUE(archived[0].recipe.empty());
  EXPECT_EQ(archived[0].slowdowns.gpus(), 2U);
  EXPECT_TRUE(checked_clusters(study, inputs).front().checks.empty());
}

// Any knowledge of a cluster of any source is made, unless it needs more of its GPUs than was measured: that is
// refused.
TEST_F(Clusters, AreKnownAsFarAsTheyAreMeasured) {
  write_cluster(16, 4, [&](int gpu) { return 1 + gpu % 4 * 0.25; });
  // A cluster of the nodes that were measured has them all, each of its size.
  const std::string all_measured =
      "cluster.nodes = [{ count = 110, gpus = 4 }, { count = 20, gpus = 3 }, { count = 20, gpus = 2 }, "
      "{ count = 20, gpus = 1 }]\n";
  for (const auto& source : cluster_sources().entries()) {
    for (const auto& belief : beliefs().entries()) {
      const std::string both = source.name + " and " + belief.name;
      const std::string text =
          minimal + fmt::format("cluster.source = \"{}\"\npolicy.knowledge = \"{}\"\n", source.name, belief.name) +
          (source.make.uses("hosts") ? all_measured : "cluster.gpus = 16\n") +
          (belief.name == "stale" ? "policy.knowledge_age_days = 30\n" : "");
      if (source.make.measured < belief.make.needs) {
        EXPECT_THROW((void)read(text), Error) << both;
        continue;
      }
      const Study study = read(text);
      Inputs inputs(study);
      const auto loaded = inputs.load(study.runs[0]);
      EXPECT_EQ(loaded.truth.gpus(), loaded.topology.gpus()) << both;
      EXPECT_EQ(loaded.believed.of(ClassId(0)).of_gpu.size(), loaded.topology.gpus()) << both;
    }
  }
}

// One cluster for both placements; what the file holds is what the runs use, every dataset says what it is, and nothing
// is left beside it.
TEST_F(Clusters, AreWrittenWithTheirCheck) {
  const Study study = study_of("gpus = 512\n[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  Inputs inputs(study);
  const auto clusters = checked_clusters(study, inputs);
  ASSERT_EQ(clusters.size(), 1U);
  ASSERT_EQ(clusters[0].checks.size(), 4U);
  EXPECT_EQ(clusters[0].checks[3].kernel, "longhorn-pagerank");
  write_cluster_file(dir / "c.h5", clusters, make_provenance(study, inputs, "palstudy cluster", 1));
  EXPECT_FALSE(std::filesystem::exists(dir / "c.h5.part"));
  const auto file = hdf5::File::open(dir / "c.h5");
  const std::string group = "/cluster/" + inputs.cluster_key(study.runs[1]);
  const auto truth = inputs.load(study.runs[1]).truth.of(ClassId(3));
  EXPECT_EQ(read_reals(file, group + "/slowdown_D"), std::vector<double>(truth.begin(), truth.end()));
  EXPECT_EQ(read_integers(file, group + "/node")[511], 127);
  EXPECT_EQ(read_integers(file, group + "/cabinet")[511], 7);
  EXPECT_EQ(read_reals(file, group + "/check/D/ks"), std::vector<double>{clusters[0].checks[3].ks});
  EXPECT_EQ(read_texts(file, group + "/check/A/expected_max/k").back(), "256");
  EXPECT_EQ(read_attribute(file, "/", "schema").front(), "palstudy-cluster 1.3.0");
  EXPECT_EQ(read_notes(file), worded(inputs.notes()));
  for (const auto& path : file.datasets()) {
    EXPECT_FALSE(read_attribute(file, path, "units").empty()) << path;
    EXPECT_FALSE(read_attribute(file, path, "long_name").empty()) << path;
  }
}

}  // namespace
}  // namespace palstudy
