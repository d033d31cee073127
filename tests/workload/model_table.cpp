// SPDX-License-Identifier: MIT
#include "workload/model_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "workload/models.hpp"

namespace palstudy {
namespace {

/// A file of a test, removed with it.
class ModelFile {
 public:
  explicit ModelFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("palstudy-models-" + std::to_string(::getpid()) + ".toml")) {
    std::ofstream(path_) << text;
  }
  ~ModelFile() { std::filesystem::remove(path_); }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

ModelTable read(const std::string& text) { return read_model_table(ModelFile(text).path()); }

/// The refusal of a table with `text` in it, without the path before the place.
void expect_refused(const std::string& text, const std::string& beginning) {
  const ModelFile file(text);
  const auto message = testing_workload::refusal(3, [&] { (void)read_model_table(file.path()); });
  const auto expected = file.path().string() + beginning;
  EXPECT_EQ(message.substr(0, expected.size()), expected) << message;
}

const std::string good = "[models.m]\nclass = \"A\"\niteration_s = 1\nsource = \"s\"\n";

/// A model of which all that is wanted is given, with one thing otherwise.
std::string elastic_model(const std::string& from = "", const std::string& to = "") {
  std::string text = good +
                     "kind = \"elastic\"\nbatch = { initial = 128, most = 4096, min_local = 32 }\nepochs = 100\n"
                     "epoch_iterations = 390.6\nrestart_s = 50\nnoise = [[0, 99], [1, 64000]]\n"
                     "types.aws = { alpha_c = 0.1, beta_c = 0.2, alpha_r = 0.3, beta_r = 0.4, alpha_n = 0.5, beta_n = "
                     "0.6, gamma = 2, max_local = 1024, error = 0.06 }\n";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ModelTable, AnElasticModelHasItsBatchNoiseAndTypes) {
  const ElasticInfo info = read(elastic_model()).models.at("m").elastic.value();
  EXPECT_EQ(info.types, std::vector<std::string>({"aws"}));
  EXPECT_EQ(info.model.limits.initial, 128U);
  EXPECT_EQ(info.model.limits.most, 4096U);
  EXPECT_EQ(info.model.limits.min_local, 32U);
  EXPECT_EQ(info.model.epochs.count, 100U);
  EXPECT_EQ(info.model.epochs.iterations, 390.6);
  EXPECT_EQ(info.model.restart_s, 50);
  EXPECT_EQ(info.model.noise.at(1), 64000);
  EXPECT_EQ(info.model.types[0].step.beta_n, 0.6);
  EXPECT_EQ(info.model.types[0].max_local, 1024U);
  EXPECT_EQ(info.model.types[0].error, 0.06);
  EXPECT_FALSE(read(good).models.at("m").elastic);
}

TEST(ModelTable, AnElasticModelIsRefusedWithItsPlace) {
  expect_refused(elastic_model("min_local = 32", "min_local = 320"), ":6:9: ");
  expect_refused(elastic_model("[[0, 99], [1, 64000]]", "[[0, 99], [0, 64000]]"), ":10:9: ");
  expect_refused(elastic_model("[[0, 99], [1, 64000]]", "[99, 64000]"), ":10:9: ");
  expect_refused(elastic_model("gamma = 2", "gamma = 0.5"), ":11:");
  expect_refused(elastic_model("error = 0.06", "err = 0.06"), ":11:");
  expect_refused(elastic_model("epochs = 100", "epochs = 1.5"), ":7:10: ");
}

// Every fit that is carried is within 15 % in the median; those that were worse are left out.
TEST(ModelTable, TheCarriedElasticModelsFitTheirMeasurements) {
  std::size_t elastic = 0;
  for (const auto& [name, info] : testing_workload::carried_models().models) {
    if (!info.elastic) continue;
    ++elastic;
    for (const TypeTime& type : info.elastic->model.types) EXPECT_LT(type.error, 0.15) << name;
    const TypeTime& usual = info.elastic->usual();
    const double pass = pass_s(usual.step, info.elastic->model.limits.initial);
    EXPECT_NEAR(info.iteration_s, pass, 1e-5 * pass) << name;  // on one GPU
  }
  EXPECT_EQ(elastic, 6U);
}

// The published times and classes (PAL's artifact, model table), to the last digit; use of the GPU is stated for none.
// Generators draw these and no other, so that adding a model to the table changes no generated job.
TEST(ModelTable, TheCarriedOneHasThePublishedModels) {
  const auto table = testing_workload::carried_models();
  const std::map<std::string, std::pair<std::string, double>> expected = {{"resnet50", {"A", 0.17540429367763434}},
                                                                          {"BERT", {"B", 0.179}},
                                                                          {"DCGAN", {"B", 0.0469266931}},
                                                                          {"GPT2", {"B", 3.5714}},
                                                                          {"vgg19", {"C", 0.300610341}},
                                                                          {"PointNet", {"D", 0.28125}}};
  for (const auto& [name, info] : table.models) EXPECT_EQ(info.drawn, expected.contains(name)) << name;
  // No scaling was published from which shares of communication could be fitted.
  for (const auto& [name, info] : table.models) {
    EXPECT_EQ(info.calibrated, info.how.kind == JobModelKind::plain) << name;
  }
  for (const auto& [name, model] : expected) {
    const auto& info = table.models.at(name);
    EXPECT_EQ(info.cls, model.first) << name;
    EXPECT_EQ(info.iteration_s, model.second) << name;
    EXPECT_TRUE(std::isnan(info.gpu_util)) << name;
    EXPECT_FALSE(info.source.empty()) << name;
  }
  EXPECT_EQ(table.models.at("BERT").gradient_bytes, 1.36e9);
  EXPECT_EQ(table.models.at("DCGAN").gradient_bytes, 0);  // not known
}

// Both tables name measurements that are carried, for all four classes.
TEST(ModelTable, TheCarriedClassesNameCarriedMeasurements) {
  const auto table = testing_workload::carried_models();
  for (const std::string name : {"pal", "reliable"}) {
    const auto& classes = table.classes.at(name);
    ASSERT_EQ(classes.size(), 4u) << name;
    for (const auto& [cls, measurements] : classes) {
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(PALSTUDY_SOURCE_DIR) / "kernels/measurements" /
                                          (measurements + ".csv")))
          << name << " " << cls;
    }
  }
  EXPECT_EQ(table.classes.at("pal").at("C"), "longhorn-bert");
}

// A table of classes in a file of its own, as the classifier writes it.
TEST(ModelTable, ReadsAFileOfOneTableOfClasses) {
  const ModelFile good_file("# made by somebody\n[classes.mine]\nA = \"sgemm\"\nB = \"sgemm (n = 8)\"\n");
  const auto classes = read_class_table(good_file.path());
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes.at("B"), "sgemm (n = 8)");
  for (const std::string text : {"", "[classes.a]\nA = \"x\"\n[classes.b]\nA = \"x\"\n", "[classes.a]\n", "A = \"x\"\n",
                                 "[classes.a]\nA = 7\n", "[classes.a\n", "classes = 1\n"}) {
    const ModelFile file(text);
    EXPECT_THROW((void)read_class_table(file.path()), Error) << text;
  }
}

TEST(ModelTable, ReadsWhatMayBeLeftOut) {
  const auto table = read(good + "gradient_bytes = 5\ngpu_util = 0.5\nmem_bw_util = 1\n[classes.x]\nA = \"k\"\n");
  const auto& info = table.models.at("m");
  EXPECT_EQ(info.iteration_s, 1);  // an integer is a number
  EXPECT_EQ(info.gradient_bytes, 5);
  EXPECT_EQ(info.gpu_util, 0.5);
  EXPECT_EQ(info.mem_bw_util, 1);
  EXPECT_EQ(table.classes.at("x").at("A"), "k");
  EXPECT_TRUE(info.calibrated);
  EXPECT_FALSE(read(good + "calibrated = false\n").models.at("m").calibrated);
}

TEST(ModelTable, RefusesAtItsPlace) {
  expect_refused("", ": has no models");
  expect_refused(good + "gpu_utl = 1\n", ":5:1: unknown key \"gpu_utl\"; did you mean \"gpu_util\"?");
  expect_refused("[model.m]\n", ":1:2: unknown key \"model\"; did you mean \"models\"?");
  expect_refused("models = 3\n", ":1:10: \"models\" is not a table");
  expect_refused("[models]\nm = 3\n", ":2:5: \"m\" is not a table");
  expect_refused("[models.m]\niteration_s = 1\nsource = \"s\"\n", ":1:1: the key \"class\" is missing");
  expect_refused("[models.m]\nclass = \"A\"\nsource = \"s\"\n", ":1:1: the key \"iteration_s\" is missing");
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = 1\n", ":1:1: the key \"source\" is missing");
  expect_refused("[models.m]\nclass = 1\n", ":2:9: \"class\" is not a text");
  expect_refused("[models.m]\nclass = \"\"\n", ":2:9: \"class\" is not a text");
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = \"1\"\n", ":3:15: \"iteration_s\" is not a number");
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = 0\n", ":3:15: iteration_s = 0");
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = -1\n", ":3:15: iteration_s = -1 is out of range");
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = nan\n", ":3:15: iteration_s = nan is out of range");
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = inf\n", ":3:15: iteration_s = inf is out of range");
  expect_refused(good + "gpu_util = 1.5\n", ":5:12: gpu_util = 1.5 is out of range");
  expect_refused(good + "gradient_bytes = -5\n", ":5:18: gradient_bytes = -5 is out of range");
  expect_refused(good + "[classes.x]\nA = 1\n", ":6:5: \"A\" is not a text");
  expect_refused(good + "[classes.x]\n", ":5:1: no classes");
}

// Keys of a kind belong to it alone, and have to fit each other.
TEST(ModelTable, ReadsAndRefusesKinds) {
  const auto pipelined = read(good + "drawn = false\nkind = \"pipelined\"\ngpus = 32\ntensor = 4\npipeline = 2\n" +
                              "microbatches = 16\ninterleave = 2\ntensor_share = 0.1\nexchange_share = 0.2\n")
                             .models.at("m");
  EXPECT_FALSE(pipelined.drawn);
  EXPECT_EQ(pipelined.gpus, 32u);
  EXPECT_EQ(pipelined.how.kind, JobModelKind::pipelined);
  EXPECT_EQ(pipelined.how.tensor, 4u);
  EXPECT_EQ(pipelined.how.pipeline, 2u);
  EXPECT_EQ(pipelined.how.microbatches, 16u);
  EXPECT_EQ(pipelined.how.interleave, 2u);
  EXPECT_EQ(pipelined.how.tensor_share, 0.1);
  EXPECT_EQ(pipelined.how.exchange_share, 0.2);
  const auto bulk = read(good + "kind = \"bulk\"\ncomm_nodes = [1, 4]\ncomm_share = [0, 0.5]\n").models.at("m");
  EXPECT_EQ(bulk.how.kind, JobModelKind::bulk);
  ASSERT_EQ(bulk.how.comm.size(), 2u);
  EXPECT_EQ(bulk.how.comm[1].nodes, 4);
  EXPECT_EQ(bulk.how.comm[1].share, 0.5);
  EXPECT_EQ(read(good).models.at("m").how.kind, JobModelKind::plain);
  expect_refused(good + "kind = \"pipeline\"\n", ":5:8: unknown kind \"pipeline\"");
  expect_refused(good + "tensor = 4\n", ":5:1: unknown key \"tensor\"");
  expect_refused(good + "kind = \"bulk\"\ntensor = 4\n", ":6:1: unknown key \"tensor\"");
  expect_refused(good + "kind = \"bulk\"\n", ":1:1: the key \"comm_nodes\" is missing");
  expect_refused(good + "kind = \"bulk\"\ncomm_nodes = [1, 1]\ncomm_share = [0, 0.5]\n",
                 ":6:14: comm_nodes does not fit");
  expect_refused(good + "kind = \"bulk\"\ncomm_nodes = [2]\ncomm_share = [0]\n", ":6:14: comm_nodes does not fit");
  expect_refused(good + "kind = \"bulk\"\ncomm_nodes = [1]\ncomm_share = [1]\n",
                 ":7:15: comm_share = 1 is out of range");
  expect_refused(good + "kind = \"pipelined\"\ntensor = 2.5\n", ":6:10: tensor = 2.5 is not a whole number");
  expect_refused(good + "kind = \"pipelined\"\ngpus = 6\ntensor = 4\n", ":6:8: 6 GPUs are not whole replicas of 4 x 1");
  expect_refused(good + "drawn = 1\n", ":5:9: \"drawn\" is neither true nor false");
}

// A pipelined model knows no key of another kind, and a file of classes nothing but its one table. Lists of
// communication belong together.
TEST(ModelTable, RefusesKeysOfOtherKinds) {
  const std::string pipelined = good + "kind = \"pipelined\"\n", bulk = good + "kind = \"bulk\"\n";
  expect_refused(pipelined + "comm_nodes = [1]\n", ":6:1: unknown key \"comm_nodes\"");
  expect_refused(bulk + "comm_nodes = [1, 4]\ncomm_share = [0]\n", ":6:14: comm_nodes does not fit");
  expect_refused(bulk + "comm_nodes = []\n", ":6:14: \"comm_nodes\" is not a list of numbers");
  expect_refused(bulk + "comm_nodes = 1\n", ":6:14: \"comm_nodes\" is not a list of numbers");
  const ModelFile file("[classes.a]\nA = \"x\"\n[models]\n");
  const auto message = testing_workload::refusal(3, [&] { (void)read_class_table(file.path()); });
  EXPECT_NE(message.find(":3:2: unknown key \"models\""), std::string::npos) << message;
}

// Numbers may be as large as their limits and no larger.
TEST(ModelTable, NumbersHaveLimits) {
  const std::string pipelined = good + "kind = \"pipelined\"\n";
  EXPECT_EQ(read(good).models.at("m").skew, 0);
  const auto plain = read(good + "skew = 1\ngpus = 16777216\ngradient_bytes = 1e18\n").models.at("m");
  EXPECT_EQ(plain.skew, 1);
  EXPECT_EQ(plain.gpus, 16777216u);
  EXPECT_EQ(plain.gradient_bytes, 1e18);
  const auto shares = read(pipelined + "tensor_share = 0.999\nexchange_share = 0.999\n").models.at("m");
  EXPECT_EQ(shares.how.tensor_share, 0.999);
  EXPECT_EQ(shares.how.exchange_share, 0.999);
  EXPECT_EQ(read("[models.m]\nclass = \"A\"\niteration_s = 1e12\nsource = \"s\"\n").models.at("m").iteration_s, 1e12);
  expect_refused("[models.m]\nclass = \"A\"\niteration_s = 2e12\n", ":3:15: iteration_s = 2000000000000 is out");
  expect_refused(good + "skew = 1.5\n", ":5:8: skew = 1.5 is out of range");
  expect_refused(good + "mem_bw_util = 1.5\n", ":5:15: mem_bw_util = 1.5 is out of range");
  expect_refused(good + "gpus = 0\n", ":5:8: gpus = 0 is out of range");
  expect_refused(good + "gpus = 16777217\n", ":5:8: gpus = 16777217 is out of range");
  expect_refused(pipelined + "tensor_share = 1\n", ":6:16: tensor_share = 1 is out of range");
  expect_refused(pipelined + "exchange_share = 1\n", ":6:18: exchange_share = 1 is out of range");
  expect_refused(pipelined + "gpus = 4\ntensor = 2\nmicrobatches = 3\n", ":6:8: 3 microbatches are not shared");
}

TEST(ModelTable, RefusesWhatIsNoToml) {
  expect_refused("[models.m\n", ":1:");
  expect_refused(std::string("a\0b", 3), ":1:");
}

TEST(ModelTable, RefusesWhatCannotBeRead) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  for (const auto& [path, what] : {std::pair(folder / "palstudy-there-is-no-such-file.toml", ": cannot be read"),
                                   std::pair(folder, ": is a directory")}) {
    const auto message = testing_workload::refusal(3, [&] { (void)read_model_table(path); });
    EXPECT_EQ(message.find(path.string() + what), 0u) << message;
  }
}

// A file of classes has one table of them, and it is said how many it has instead.
TEST(ModelTable, SaysHowManyTablesOfClassesThereAre) {
  const auto refused = [](const std::string& text, const std::string& what) {
    const ModelFile file(text);
    const auto message = testing_workload::refusal(3, [&] { (void)read_class_table(file.path()); });
    EXPECT_EQ(message.substr(0, message.find('\n')), file.path().string() + what);
  };
  refused("", ": has 0 tables of classes");
  refused("[classes]\n", ": has 0 tables of classes");
  refused("[classes.a]\nA = \"x\"\n[classes.b]\nA = \"x\"\n", ": has 2 tables of classes");
  refused("[classes.a]\n", ":1:1: no classes");
  refused("[classes.a]\nA = 7\n", ":2:5: \"A\" is not a text");
}

// A pipelined model of which nothing more is said is one GPU, one stage and one microbatch, and communicates nothing.
TEST(ModelTable, APipelinedModelIsOneOfEachUnlessSaid) {
  const JobModel how = read(good + "kind = \"pipelined\"\n").models.at("m").how;
  EXPECT_EQ(how.tensor, 1u);
  EXPECT_EQ(how.pipeline, 1u);
  EXPECT_EQ(how.microbatches, 1u);
  EXPECT_EQ(how.interleave, 1u);
  EXPECT_EQ(how.tensor_share, 0);
  EXPECT_EQ(how.exchange_share, 0);
}

}  // namespace
}  // namespace palstudy
