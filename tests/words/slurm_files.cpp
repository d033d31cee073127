// SPDX-License-Identifier: MIT
// What Slurm is told: weights, drains and NodeName lines, by worked examples. tests/slurm/advice.sh gives such files to
// a real slurmctld.
#include "words/slurm_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "message_of.hpp"
#include "study/host_lists.hpp"

namespace palstudy {
namespace {

std::string text_of_file(const SlurmAdvice& advice, const std::string& name) {
  const auto files = slurm_files(advice);
  const auto found = std::ranges::find(files, name, &SlurmFile::name);
  return found == files.end() ? "" : found->text;
}
std::vector<std::string> names_of_files(const SlurmAdvice& advice) {
  std::vector<std::string> names;
  for (const SlurmFile& file : slurm_files(advice)) names.push_back(file.name);
  return names;
}
/// What is left of a script or of a slurm.conf without lines that are comments.
std::string without_comments(const std::string& text) {
  std::string left;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text[at] != '#') left += text.substr(at, end - at);
    at = end;
  }
  return left;
}
std::string node_lines(const std::string& conf, std::vector<WeighedNode> weights) {
  return without_comments(text_of_file({std::move(weights), {}, conf, "x.conf"}, nodes_file));
}
std::string refusal_of(const SlurmAdvice& advice) {
  return message_of(ErrorCode::data, [&] { (void)slurm_files(advice); });
}

// A file is there if it has content: nothing to drain makes no script that drains, and no advice no file at all.
TEST(SlurmFiles, AreThoseWithContent) {
  using Names = std::vector<std::string>;
  const std::string conf = "NodeName=n[1-2] Gres=gpu:4\n";
  EXPECT_EQ(names_of_files({}), Names{});
  EXPECT_EQ(names_of_files({{{"n1", 2}}, {}, {}, {}}), (Names{weights_file, users_file}));
  EXPECT_EQ(names_of_files({{}, {{"n1", "A", 1.3}}, conf, {}}), (Names{drain_file, users_file}));
  EXPECT_EQ(names_of_files({{{"n1", 2}}, {{"n2", "A", 1.3}}, conf, {}}),
            (Names{weights_file, drain_file, nodes_file, users_file}));
  for (const SlurmFile& file : slurm_files({{{"n1", 2}}, {{"n2", "A", 1.3}}, conf, {}})) {
    EXPECT_EQ(file.script, file.name.ends_with(".sh")) << file.name;
  }
}

// One line for each weight, the lightest first, with its nodes in order.
TEST(SlurmFiles, SetWeights) {
  const SlurmAdvice advice{
      {{"gpu007", 10}, {"gpu001", 10}, {"slow-2", 4294967280}, {"gpu002", 10}, {"gpu005", 0}}, {}, {}, {}};
  EXPECT_EQ(without_comments(text_of_file(advice, weights_file)),
            "set -e\n"
            "scontrol update NodeName=gpu005 Weight=0\n"
            "scontrol update NodeName=gpu[001-002,007] Weight=10\n"
            "scontrol update NodeName=slow-2 Weight=4294967280\n");
  EXPECT_EQ(text_of_file(advice, weights_file).find("#!/bin/sh\n"), 0U);
  EXPECT_NE(text_of_file(advice, weights_file).find("lost at the next `scontrol reconfigure`"), std::string::npos);
}

// Every second of 900 nodes: several lines of one weight, none of them long, and no node lost.
TEST(SlurmFiles, PartLongLists) {
  SlurmAdvice advice;
  for (int i = 0; i < 900; i += 2) advice.weights.push_back({"node" + std::to_string(1000 + i), 3});
  const std::string script = without_comments(text_of_file(advice, weights_file));
  std::size_t nodes = 0, lines = 0;
  for (std::size_t at = script.find("NodeName="); at != std::string::npos; at = script.find("NodeName=", at + 1)) {
    const std::string list = script.substr(at + 9, script.find(' ', at) - at - 9);
    EXPECT_LE(list.size(), 90U);
    nodes += host_names(list, "").size(), ++lines;
  }
  EXPECT_EQ(nodes, 450U);
  EXPECT_GT(lines, 20U);
}

// The reason is one word to the shell, and holds nothing that the shell or Slurm reads, whatever the class is called.
TEST(SlurmFiles, DrainWithQuotedReasons) {
  const SlurmAdvice advice{
      {}, {{"n10", "A", 1.308}, {"n2", "x\"; $(reboot) `id`\\\n", 2}, {"n3", "", 1.2}, {"n10", "B", 1.1}}, {}, {}};
  EXPECT_EQ(text_of_file(advice, drain_file).substr(text_of_file(advice, drain_file).find("set -e")),
            "set -e\n"
            "scontrol update NodeName=n2 State=DRAIN Reason=\"slowest GPU 2 x median for class x__ __reboot_ _id___ "
            "(palstudy)\"\n"
            "scontrol update NodeName=n3 State=DRAIN Reason=\"slowest GPU 1.2 x median (palstudy)\"\n"
            "scontrol update NodeName=n10 State=DRAIN Reason=\"slowest GPU 1.31 x median for class A (palstudy)\"\n"
            "# To put them back:\n"
            "# scontrol update NodeName=n[2-3,10] State=RESUME\n");
}

// Nodes of one line with several weights: a line for each weight, in the order of their first nodes, and the rest as it
// was. What one node has of a list of addresses, names or ports stays its own; what all have stays that of all.
TEST(NodesConf, PartLines) {
  EXPECT_EQ(node_lines("ClusterName=c\nNodeName=g[01-04,07] Gres=gpu:a100:4(S:0-1) CPUs=32 Weight=5 State=UNKNOWN\n"
                       "PartitionName=p Nodes=ALL\n",
                       {{"g02", 20}, {"g03", 10}, {"g04", 20}}),
            "NodeName=g[01,07] Gres=gpu:a100:4(S:0-1) CPUs=32 Weight=5 State=UNKNOWN\n"
            "NodeName=g[02,04] Gres=gpu:a100:4(S:0-1) CPUs=32 Weight=20 State=UNKNOWN\n"
            "NodeName=g03 Gres=gpu:a100:4(S:0-1) CPUs=32 Weight=10 State=UNKNOWN\n");
  EXPECT_EQ(node_lines("NodeName=b,a[1-3] NodeHostname=h[4,3,2,1] NodeAddr=10.0.0.[1-4] Port=[7001-7004] Gres=gpu:1\n"
                       "NodeName=x[1-2] NodeAddr=127.0.0.1 Port=7000\n",
                       {{"b", 2}, {"a3", 2}, {"a2", 1}, {"a1", 1}, {"x2", 1}}),
            "NodeName=b,a3 NodeHostname=h[4,1] NodeAddr=10.0.0.[1,4] Port=[7001,7004] Gres=gpu:1 Weight=2\n"
            "NodeName=a[1-2] NodeHostname=h[3,2] NodeAddr=10.0.0.[2-3] Port=[7002-7003] Gres=gpu:1 Weight=1\n"
            "NodeName=x1 NodeAddr=127.0.0.1 Port=7000\n"
            "NodeName=x2 NodeAddr=127.0.0.1 Port=7000 Weight=1\n");
}

// DEFAULT lines act on those after them, so they stay where they are; their weight is that of nodes without one. Lines
// whose nodes get no weight stay as they are written, with their comments, and so do names in any case.
TEST(NodesConf, KeepWhatIsNotTheirs) {
  EXPECT_EQ(node_lines("NodeName=DEFAULT Gres=gpu:4 Weight=7 # first rack\n"
                       "  nodename=a[1-2]   WEIGHT=3 Feature=\"x y\"\n"
                       "# NodeName=old\n"
                       "NODENAME=default weight=9 \\\n  CPUs=4\n"
                       "NodeName=login \\\n  Gres= # no GPU\n"
                       "NodeName=b[1-2]\n",
                       {{"a1", 1}, {"a2", 1}, {"b2", 4}}),
            "NodeName=DEFAULT Gres=gpu:4 Weight=7 # first rack\n"
            "  nodename=a[1-2]   WEIGHT=1 Feature=\"x y\"\n"
            "NODENAME=default weight=9 \\\n  CPUs=4\n"
            "NodeName=login \\\n  Gres= # no GPU\n"
            "NodeName=b1\n"
            "NodeName=b2 Weight=4\n");
}

// A line that goes on after a backslash becomes one; its comment, and quotes that hold a hash or an equals sign, stay.
TEST(NodesConf, ReadLinesAsSlurmDoes) {
  EXPECT_EQ(node_lines(
                "NodeName=a[1-2] \\\r\n\tWeight = 3 \\ # more\r\n Reason=\"Weight=5 of old \\# 1\" Feature=f # new\r\n",
                {{"a1", 8}}),
            "NodeName=a1 \tWeight = 8  Reason=\"Weight=5 of old \\# 1\" Feature=f # more # new\n"
            "NodeName=a2 \tWeight = 3  Reason=\"Weight=5 of old \\# 1\" Feature=f\n");
  EXPECT_EQ(node_lines("NodeName=\"a[1-2]\" Weight=\"3\"\n", {{"a1", 8}}),
            "NodeName=a1 Weight=8\nNodeName=a2 Weight=\"3\"\n");
}

// What is included is not read, and named so that nobody takes it out.
TEST(NodesConf, NameWhatIsIncluded) {
  const std::string text =
      text_of_file({{{"a", 2}}, {}, "Include /etc/slurm/more.conf\nNodeName=a\n", "x.conf"}, nodes_file);
  EXPECT_NE(text.find("x.conf:1: /etc/slurm/more.conf\n"), std::string::npos) << text;
}

TEST(SlurmFiles, RefuseWhatSlurmWouldNotTake) {
  for (const std::string name :
       {"", "a b", "a;reboot", "a,b", "a[1-2]", "$(id)", "a\nb", "g\xc3\xa4", "ALL", "Default"}) {
    expect_parts(refusal_of({{{name, 1}}, {}, {}, {}}), {"host \""});
    expect_parts(refusal_of({{}, {{name, "A", 2}}, {}, {}}), {"host \""});
  }
  EXPECT_NO_THROW((void)slurm_files({{{"c007-12.site_a", 1}}, {}, {}, {}}));
  expect_parts(refusal_of({{{"a", -1}}, {}, {}, {}}), {"-1", "host a"});
  expect_parts(refusal_of({{{"a", 4294967281}}, {}, {}, {}}), {"4294967281", "host a"});
  expect_parts(refusal_of({{{"a", 1}, {"a", 2}}, {}, {}, {}}), {"host a", "two weights"});
  const std::string conf = "NodeName=n[1-2]\n";
  expect_parts(refusal_of({{{"n1", 1}, {"n3", 1}}, {}, conf, "x.conf"}), {"x.conf", "host n3"});
  expect_parts(refusal_of({{}, {{"n3", "A", 2}}, conf, "x.conf"}), {"x.conf", "host n3"});
  expect_parts(refusal_of({{{"n1", 1}}, {}, "NodeName=n[1-\n", "x.conf"}), {"x.conf:1", "n[1-"});
}

// Users see which nodes are drained and in which order the others are taken; of many weights the ends, and the rest. A
// drained node, though it has a weight, is not among them.
TEST(SlurmFiles, TellUsers) {
  const std::string text = text_of_file(
      {{{"n1", 1}, {"n2", 20}, {"n3", 30}, {"n4", 40}, {"n5", 1}, {"n6", 50}}, {{"n6", "A", 1.31}}, {}, {}},
      users_file);
  expect_parts(text, {"  n6: its slowest GPU takes 1.31 times", "class A\n", "  first  n[1,5]\n", "  then   n[2-3]\n",
                      "  last   n4\n", "1 node fewer"});
  const std::string alone = text_of_file({{{"n1", 1}}, {}, {}, {}}, users_file);
  EXPECT_EQ(alone.find("Out of service"), std::string::npos) << alone;
  EXPECT_EQ(alone.find("last "), std::string::npos) << alone;
}

// What stands beside the advice is written, says so, and is not what users are told.
TEST(SlurmFiles, SayWhatIsNotAdvised) {
  SlurmAdvice advice{{{"n1", 1}, {"n2", 7}}, {{"n2", "A", 1.3}}, {}, {}};
  advice.drains_advised = false;
  expect_parts(text_of_file(advice, drain_file), {"# Not advised", "NodeName=n2 State=DRAIN"});
  EXPECT_EQ(text_of_file(advice, weights_file).find("Not advised"), std::string::npos);
  EXPECT_EQ(text_of_file(advice, users_file).find("Out of service"), std::string::npos);
  expect_parts(text_of_file(advice, users_file), {"  last   n2\n"});
}

// What is written for a site that decides otherwise is not told as if it were done.
TEST(SlurmFiles, TellUsersOnlyWhatIsAdvised) {
  const SlurmAdvice both{{{"n1", 1}, {"n2", 9}}, {{"n2", "A", 1.3}}, {}, {}};
  SlurmAdvice weights = both, drains = both;
  weights.drains_advised = false, drains.weights_advised = false;
  EXPECT_EQ(names_of_files(weights), names_of_files(both));
  expect_parts(text_of_file(weights, users_file), {"  first  n1\n", "  last   n2\n"});
  EXPECT_EQ(text_of_file(weights, users_file).find("Out of service"), std::string::npos);
  expect_parts(text_of_file(drains, users_file), {"Out of service", "  n2: "});
  EXPECT_EQ(text_of_file(drains, users_file).find("  first "), std::string::npos);
}

}  // namespace
}  // namespace palstudy
