// SPDX-License-Identifier: MIT
#include "archive/cluster_file.hpp"

#include <gtest/gtest.h>

#include <array>

#include "archive/archive_runs.hpp"
#include "archive/damage_chunk.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

using Texts = std::vector<std::string>;
using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;

/// Three nodes of two GPUs, two nodes a cabinet; of class B/c a check with three figures.
void write_checked(const std::filesystem::path& path) {
  const Topology topology(std::array{NodeGroup{3, 2}}, 2);
  const ClusterRecord drawn{
      "feed", Slowdowns({"A", "B/c"}, 6, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), {"source = \"block\"", "seed = 7"}};
  const ClassCheck check{
      "B/c", "there-sgemm", 8, 4, 0.25, {{"least", 0.9, 0.8}, {"largest", 1.5, 1.6}}, {{"4", 1.1, 1.2}}};
  const ClusterRecord table{"beef", Slowdowns({"A"}, 6, {1, 1, 1, 1, 1, 1})};
  Provenance from = some_provenance();
  from.resolved_study = "seed = 1\n";
  write_cluster_file(path, {{drawn, &topology, {check}}, {table, &topology, {}}}, from);
}

// hdf5-schemas/cluster.md, dataset by dataset: where each GPU is, how slow it is, and how each class compares with what
// it was drawn from. A table has neither recipe nor check.
TEST(ClusterFile, HoldsEachClusterWithItsCheck) {
  const TempDir dir;
  write_checked(dir.path() / "c.h5");
  const hdf5::File file = hdf5::File::open(dir.path() / "c.h5");
  EXPECT_EQ(read_attribute(file, "/", "schema"), Texts{"palstudy-cluster 1.3.0"});
  EXPECT_EQ(read_attribute(file, "/", "schema_version"), Texts{"1.3.0"});
  EXPECT_EQ(read_attribute(file, "/", "compare.metric"), Texts{"jct_mean_s"});
  const std::string feed = "/cluster/feed";
  EXPECT_EQ(read_attribute(file, feed, "recipe"), (Texts{"source = \"block\"", "seed = 7"}));
  EXPECT_EQ(read_integers(file, feed + "/node"), (Integers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(read_integers(file, feed + "/cabinet"), (Integers{0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(read_reals(file, feed + "/slowdown_A"), (Reals{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_reals(file, feed + "/slowdown_B%2Fc"), (Reals{7, 8, 9, 10, 11, 12}));
  const std::string check = feed + "/check/B%2Fc";
  EXPECT_EQ(read_attribute(file, check, "kernel"), Texts{"there-sgemm"});
  EXPECT_EQ(read_attribute(file, check, "source_gpus"), Texts{"8"});
  EXPECT_EQ(read_attribute(file, check, "source_nodes"), Texts{"4"});
  EXPECT_EQ(read_reals(file, check + "/ks"), Reals{0.25});
  EXPECT_EQ(read_texts(file, check + "/figures/figure"), (Texts{"least", "largest"}));
  EXPECT_EQ(read_reals(file, check + "/figures/generated"), (Reals{0.9, 1.5}));
  EXPECT_EQ(read_reals(file, check + "/figures/source"), (Reals{0.8, 1.6}));
  EXPECT_EQ(read_texts(file, check + "/expected_max/k"), Texts{"4"});
  EXPECT_EQ(read_reals(file, check + "/expected_max/generated"), Reals{1.1});
  EXPECT_EQ(read_reals(file, check + "/expected_max/source"), Reals{1.2});
  EXPECT_EQ(read_attribute(file, check + "/figures/source", "long_name"),
            Texts{"Each figure of the slowdowns over the measured GPUs."});
  EXPECT_EQ(read_attribute(file, check + "/expected_max/generated", "long_name"),
            Texts{"Expected largest slowdown of k GPUs side by side over the generated GPUs."});
  EXPECT_EQ(file.children("/cluster/beef"), (Texts{"cabinet", "gpu", "node", "slowdown_A"}));
  EXPECT_TRUE(read_attribute(file, "/cluster/beef", "recipe").empty());
  const auto of_scale = scales(file);
  EXPECT_EQ(of_scale.at(feed + "/gpu").size(), 4U);
  EXPECT_EQ(of_scale.at(check + "/figures/figure").size(), 2U);
  EXPECT_EQ(of_scale.at(check + "/expected_max/k").size(), 2U);
  EXPECT_TRUE(of_scale.contains(check + "/ks"));
  EXPECT_TRUE(without_scale(file).empty());
  EXPECT_TRUE(is_cluster_file(dir.path() / "c.h5"));
  EXPECT_EQ(verified_clusters(dir.path() / "c.h5"), Texts{});
}

// A value that was hit is the one finding; bytes behind the end are one, too. Somebody else's file is no cluster file.
TEST(ClusterFile, DamageIsFoundOnce) {
  const TempDir dir;
  const auto path = dir.path() / "c.h5";
  write_checked(path);
  const std::string whole = read_file(path);
  write_file(path, whole + "more");
  EXPECT_EQ(verified_clusters(path), Texts{"4 bytes follow the end of the HDF5 file; restore the file from a copy or "
                                           "make it again with palstudy cluster"});
  write_file(path, whole);
  damage_chunk(path, "/cluster/feed/slowdown_B%2Fc");
  const auto found = verified_clusters(path);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("/cluster/feed/slowdown_B%2Fc: cannot read the dataset"), std::string::npos) << found[0];
  write_file(path, "gpu_id,node_id\n");
  EXPECT_FALSE(is_cluster_file(path));
  write_archive(path, three_runs(), {}, {});
  EXPECT_FALSE(is_cluster_file(path));
}

// Every dataset has a scale, and the file a checksum.
TEST(ClusterFile, VerifyAsksForWhatTheSchemaHas) {
  const TempDir dir;
  const auto found = [&](bool with_scale) {
    hdf5::make_file(dir.path() / "c.h5", [&](hdf5::File& file) {
      write_attribute(file, "/", "schema", "palstudy-cluster 1.3.0");
      write_attribute(file, "/", "schema_version", "1.3.0");
      const Reals one = {1};
      write_dataset(file, "/one", one, {"1", "One."});
      if (with_scale) share_rows(file, "/one", {"/one"});
    });
    return verified_clusters(dir.path() / "c.h5");
  };
  const std::string again = "; restore the file from a copy or make it again with palstudy cluster";
  EXPECT_EQ(found(false), Texts{"/one: has no dimension scale" + again});
  EXPECT_EQ(found(true), Texts{"/ (attribute checksum): is missing" + again});
}

}  // namespace
}  // namespace palstudy::test
