// SPDX-License-Identifier: MIT
#include "parallel/binding.hpp"

#include <gtest/gtest.h>

#include "parallel/without_launcher.hpp"

namespace palstudy {
namespace {

// The kernel's lists, in both directions; what is none is empty, since /sys may hold anything.
TEST(Bindings, ListsOfProcessors) {
  EXPECT_EQ(parse_cpu_list("0-3,8"), (std::set<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(cpu_list({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(cpu_list({0, 2, 3}), "0,2-3");
  for (const char* text : {"", "x", "3-1", "-1", "0-", "0-99999999999"})
    EXPECT_TRUE(parse_cpu_list(text).empty()) << text;
}

// Hosts come in the order of their ranks; those that are bound alike share a part of the line.
TEST(Bindings, OneLineForAllHosts) {
  const std::vector<Binding> bindings = {{"n1", {0}, {0}},       {"n2", {0}, {0}}, {"n1", {1}, {1}},
                                         {"n3", {0, 1}, {0, 1}}, {"n2", {1}, {1}}, {"n3", {0, 1}, {0, 1}}};
  EXPECT_EQ(binding_text(bindings), "n1, n2: 0 | 1; n3: 2 ranks on 0-1");
  EXPECT_EQ(shared_cores_text(bindings), "");
  EXPECT_EQ(binding_text({}), "");
}

// By hand: two ranks on the two threads of a core share it; two ranks that may each run on the same two cores do not,
// a third has no core left. Ranks on other hosts are no matter.
TEST(Bindings, CoresAreShared) {
  const Binding thread0{"n1", {0}, {0}}, thread64{"n1", {64}, {0}}, both{"n1", {0, 1}, {0, 1}},
      elsewhere{"n2", {0}, {0}};
  EXPECT_EQ(shared_cores_text({thread0, elsewhere}), "");
  EXPECT_EQ(shared_cores_text({thread0, thread64}), "2 ranks share 1 core of n1");
  EXPECT_EQ(shared_cores_text({both, elsewhere, both}), "");
  EXPECT_EQ(shared_cores_text({both, both, both}), "3 ranks share 2 cores of n1");
  EXPECT_EQ(shared_cores_text({thread0, both, both}), "3 ranks share 2 cores of n1");
  EXPECT_EQ(shared_cores_text({{"n1", {}, {}}, {"n1", {}, {}}}), "") << "nothing is known";
}

using BindingOfThis = WithoutLauncher;

// This process may run somewhere, on no more cores than processors.
TEST_F(BindingOfThis, IsKnown) {
  int argc = 0;
  char** argv = nullptr;
  Mpi mpi(argc, argv);
  const std::vector<Binding> bindings = gather_bindings(mpi);
  ASSERT_EQ(bindings.size(), 1U);
  EXPECT_FALSE(bindings[0].host.empty() || bindings[0].cpus.empty() || bindings[0].cores.empty());
  EXPECT_LE(bindings[0].cores.size(), bindings[0].cpus.size());
}

}  // namespace
}  // namespace palstudy
