// SPDX-License-Identifier: MIT
// The quotas of tenants, as numbers: what a run starts where may be the same under other quotas.
#include "inputs/tenant_inputs.hpp"

#include <limits>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

/// Eight GPUs; of the tenants a, b and c the first has two jobs, the others one.
class QuotasOf : public Scratch {
 protected:
  QuotasOf() {
    write_cluster(8);
    write("jobs.csv",
          "job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant\n"
          "0,0,4,1000,1,A,a\n1,0,4,1000,1,A,a\n2,100,4,500,1,A,b\n3,200,1,500,1,A,c\n");
  }
  /// The quotas of a, b and c.
  [[nodiscard]] std::vector<double> quotas(const std::string& more) const {
    const Study study =
        read(minimal + "cluster.gpus = 8\npolicy.backfill = \"greedy\"\npolicy.placement = \"packed-sticky\"\n" + more);
    Inputs inputs(study);
    (void)inputs.check();
    return inputs.load(study.runs.at(0)).tenants.value().quota;
  }
  [[nodiscard]] std::vector<double> in_file(const std::string& text, const std::string& more = "") const {
    write("q.csv", text);
    return quotas("tenants.quotas = \"q.csv\"\n" + more);
  }
};

using Quotas = std::vector<double>;
constexpr double no_limit = std::numeric_limits<double>::infinity();

// As they are given, 0 where a tenant may borrow alone; a file may name more tenants, in any order.
TEST_F(QuotasOf, AreThoseThatAreGiven) {
  EXPECT_EQ(quotas("tenants.gpus = { a = 4, b = 2.5, c = 0 }\n"), (Quotas{4, 2.5, 0}));
  EXPECT_EQ(quotas("tenants.gpus = { b = inf }\ntenants.unlisted = \"borrow\"\n"), (Quotas{0, no_limit, 0}));
  EXPECT_EQ(in_file("tenant,gpus\nz,9\nc,1\nb,inf\na,16777216\n"), (Quotas{16777216, no_limit, 1}));
  EXPECT_EQ(in_file("node num,vc,gpus\n9,a,1\n9,b,2\n9,c,3\n"), (Quotas{1, 2, 3})) << "GPUs where both are there";
}

// In proportion to what is given they make up the cluster's 8 GPUs: 3 : 1 : 0, and 1 : 1 : 0 beside 2 of a tenant that
// has no job. Proportions need a sum.
TEST_F(QuotasOf, AreScaledToTheCluster) {
  const std::string scale = "tenants.scale = true\n";
  EXPECT_EQ(in_file("vc,node num\na,3\nb,1\nc,0\n", scale), (Quotas{6, 2, 0}));
  EXPECT_EQ(quotas("tenants.gpus = { a = 1, b = 1, c = 0, z = 2 }\n" + scale), (Quotas{2, 2, 0}));
  expect_parts(message_of(ErrorCode::data, [&] { (void)quotas("tenants.gpus = { a = 0, b = 0, c = 0 }\n" + scale); }),
               {"tenants.scale: ", "cannot be scaled: their sum is 0"});
  expect_parts(message_of(ErrorCode::data, [&] { (void)quotas("tenants.gpus = { a = inf, b = 1, c = 0 }\n" + scale); }),
               {"tenants.scale: ", "cannot be scaled: their sum is inf"});
}

// What a file lacks is said, and of jobs without a quota how many there are and whose.
TEST_F(QuotasOf, AreRefusedWithAReason) {
  const auto file = [&](const std::string& text) { return message_of(ErrorCode::data, [&] { (void)in_file(text); }); };
  expect_parts(file("tenant,gpus\n"), {"q.csv: the table of quotas is empty"});
  expect_parts(file("who,gpus\na,4\n"), {"q.csv: the table of quotas has no column tenant"});
  expect_parts(file("tenant,gpus\na,16777217\n"), {"q.csv:2:3: a quota of 16777217 in column gpus"});
  expect_parts(file("tenant,gpus\nb,4\nc,4\n"), {"q.csv: 2 jobs are of the tenant \"a\", which has no quota"});
  expect_parts(message_of(ErrorCode::data, [&] { (void)quotas("tenants.gpus = { b = 4, c = 4 }\n"); }),
               {"tenants.gpus: 2 jobs are of the tenant \"a\", which has no quota"});
  expect_parts(
      message_of(ErrorCode::data, [&] { (void)quotas("tenants.gpus = { z = 8 }\ntenants.unlisted = \"drop\"\n"); }),
      {"jobs.csv: no job is of a tenant that has a quota"});
}

}  // namespace
}  // namespace palstudy
