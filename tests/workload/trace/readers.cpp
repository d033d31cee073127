// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "workload/models.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::refusal;
using testing_workload::three_models;

constexpr const char* sia_header = "job_id,num_gpus,submit_time,duration,model\n";
constexpr const char* native_header = "job_id,submit_s,num_gpus,iterations,iteration_s,class,model,tenant\n";

Workload sia(const std::string& rows) { return parse_trace(sia_header + rows, "t.csv", "sia", three_models()); }
Workload native(const std::string& rows) {
  return parse_trace(native_header + rows, "t.csv", "native", three_models());
}

std::vector<std::int64_t> ids(const Workload& workload) {
  std::vector<std::int64_t> all;
  for (const Job& job : workload.jobs) all.push_back(job.id);
  return all;
}

void expect_begins(const std::string& message, const std::string& beginning) {
  EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
}
void expect_sia_refused(const std::string& rows, const std::string& beginning) {
  expect_begins(refusal(3, [&] { (void)sia(rows); }), beginning);
}
void expect_native_refused(const std::string& rows, const std::string& beginning) {
  expect_begins(refusal(3, [&] { (void)native(rows); }), beginning);
}

// `duration` counts iterations; seconds per iteration and class are the model's: 1481 iterations of vgg19 take 740.5 s.
TEST(SiaReader, TakesTimeAndClassFromTheModel) {
  const auto workload = sia("0,1,98,1481.0,vgg19\n1,12,115.5,40,BERT\n");
  ASSERT_EQ(workload.jobs.size(), 2u);
  const Job& first = workload.jobs[0];
  EXPECT_EQ(first.id, 0);
  EXPECT_EQ(first.gpus, 1u);
  EXPECT_EQ(first.submit_s, 98);
  EXPECT_EQ(first.iterations, 1481);
  EXPECT_EQ(first.iteration_s, 0.5);
  EXPECT_EQ(first.ideal_s(), 740.5);
  EXPECT_EQ(workload.classes.at(first.cls.index()), "C");
  EXPECT_EQ(workload.models.at(first.model), "vgg19");
  EXPECT_EQ(workload.tenants.at(first.tenant), "");
  EXPECT_EQ(workload.classes.at(workload.jobs[1].cls.index()), "B");
  EXPECT_EQ(workload.jobs[1].submit_s, 115.5);
  EXPECT_TRUE(workload.notes.empty());
}

TEST(SiaReader, AnUnknownModelNamesTheNearest) {
  expect_sia_refused("0,1,98,5,vgg19\n1,1,99,5,vgg16\n",
                     "t.csv:3:10: unknown model \"vgg16\"; did you mean \"vgg19\"?\n  the table of models "
                     "(workload.models) has: BERT, resnet50, vgg19");
  expect_sia_refused("0,1,98,5,somethingelse\n", "t.csv:2:10: unknown model \"somethingelse\"\n");
}

TEST(SiaReader, RefusesAtItsPlace) {
  expect_sia_refused("0,0,98,5,BERT\n", "t.csv:2:3: a job of 0 GPUs");
  expect_sia_refused("0,-4,98,5,BERT\n", "t.csv:2:3: a job of -4 GPUs");
  expect_sia_refused("0,1.5,98,5,BERT\n", "t.csv:2:3: \"1.5\" is not a whole number");
  expect_sia_refused("0,1e15,98,5,BERT\n", "t.csv:2:3: a job of 1000000000000000 GPUs");
  expect_sia_refused("0,1,-1,5,BERT\n", "t.csv:2:5: submitted at -1 s");
  expect_sia_refused("0,1,nan,5,BERT\n", "t.csv:2:5: \"nan\" is not a finite number");
  expect_sia_refused("0,1,98,0,BERT\n", "t.csv:2:8: work of 0");
  expect_sia_refused("0,1,98,-3,BERT\n", "t.csv:2:8: work of -3");
  expect_sia_refused("0,1,98,inf,BERT\n", "t.csv:2:8: \"inf\" is not a finite number");
  expect_sia_refused("0,1,98,1e300,BERT\n", "t.csv:2:8: a job of 1.79e+299 s");
  expect_sia_refused("x,1,98,5,BERT\n", "t.csv:2:1: \"x\" is not a whole number");
  expect_sia_refused("-1,1,98,5,BERT\n", "t.csv:2:1: -1 is not within 0 and 9223372036854775807");
}

TEST(NativeReader, ReadsEveryColumn) {
  const auto workload = native("7,1.5,4,1000,0.25,C,vgg19,alice\n8,2,1,10.5,2,A,home-made,bob\n");
  ASSERT_EQ(workload.jobs.size(), 2u);
  const Job& first = workload.jobs[0];
  EXPECT_EQ(first.id, 7);
  EXPECT_EQ(first.submit_s, 1.5);
  EXPECT_EQ(first.gpus, 4u);
  EXPECT_EQ(first.iterations, 1000);
  EXPECT_EQ(first.iteration_s, 0.25);  // the row's, not the model's 0.5
  EXPECT_EQ(workload.classes.at(first.cls.index()), "C");
  EXPECT_EQ(workload.models.at(first.model), "vgg19");
  EXPECT_EQ(workload.tenants.at(first.tenant), "alice");
  EXPECT_EQ(workload.jobs[1].iterations, 10.5);
  EXPECT_EQ(workload.models.at(workload.jobs[1].model), "home-made");
  EXPECT_EQ(workload.tenants.at(workload.jobs[1].tenant), "bob");
}

// A column user, which may be left out, names whose jobs they are; a job may have none.
TEST(NativeReader, NamesUsers) {
  const auto read = parse_trace(
      "job_id,submit_s,num_gpus,iterations,iteration_s,class,user\n0,0,1,1,1,A,u1\n1,0,1,1,1,A,\n2,0,1,1,1,A,u1\n",
      "t.csv", "native", three_models());
  EXPECT_EQ(read.users, (std::vector<std::string>{"u1", ""}));
  EXPECT_EQ(read.jobs[2].user, read.jobs[0].user);
  EXPECT_NE(read.jobs[1].user, read.jobs[0].user);
  EXPECT_TRUE(native("0,0,1,1,1,A,,\n").users.empty());
}

// A misspelt tenant would put all jobs under one. Of the columns that the format has none is noted.
TEST(NativeReader, NotesColumnsThatItDoesNotRead) {
  const auto noted = [](const std::string& columns) {
    return parse_trace("job_id,submit_s,num_gpus,iterations,iteration_s,class" + columns + "\n0,0,1,1,1,A,x,1\n",
                       "t.csv", "native", three_models())
        .notes;
  };
  const auto unread = [](const char* column, const Value& like) {
    return Note{"unread-column", Severity::info, "", {{"column", column}, {"like", like}}};
  };
  EXPECT_EQ(noted(",tennant,colour"), (std::vector<Note>{unread("tennant", "tenant"), unread("colour", {})}));
  EXPECT_TRUE(noted(",tenant,estimate_s").empty());
  EXPECT_TRUE(noted(",user,predicted_s").empty());
  EXPECT_TRUE(noted(",name,model").empty());
}

// Without the columns model and tenant all jobs have the names "", and further columns and another order change
// nothing.
TEST(NativeReader, ModelAndTenantMayBeLeftOut) {
  const auto workload = parse_trace("class,remark,iteration_s,iterations,num_gpus,submit_s,job_id\nB,x,2,3,4,5,6\n",
                                    "t.csv", "native", three_models());
  const Job& job = workload.jobs.at(0);
  EXPECT_EQ(job.id, 6);
  EXPECT_EQ(job.submit_s, 5);
  EXPECT_EQ(job.gpus, 4u);
  EXPECT_EQ(job.ideal_s(), 6);
  EXPECT_EQ(workload.models, std::vector<std::string>{""});
  EXPECT_EQ(workload.tenants, std::vector<std::string>{""});
  EXPECT_EQ(workload.model_use.size(), 1u);
}

// Estimates of users, predictions (which may be left out, and below 0) and names of jobs; an estimate is a time that a
// job may take.
TEST(NativeReader, ReadsEstimatesPredictionsAndNames) {
  const auto read = [](const std::string& rows) {
    return parse_trace(
        "job_id,submit_s,num_gpus,iterations,iteration_s,class,name,predicted_s,estimate_s\n0,0,1,10,1,A," + rows,
        "t.csv", "native", three_models());
  };
  const auto workload = read("train,-3.5,100\n1,0,1,10,1,A,eval,,1e12\n2,0,1,10,1,A,train,0,0.5\n");
  EXPECT_EQ(workload.names, (std::vector<std::string>{"train", "eval"}));
  EXPECT_EQ(workload.jobs.at(2).name, workload.jobs.at(0).name);
  EXPECT_NE(workload.jobs.at(1).name, workload.jobs.at(0).name);
  EXPECT_EQ(workload.jobs[0].predicted_s, -3.5);
  EXPECT_TRUE(std::isnan(workload.jobs[1].predicted_s));
  EXPECT_EQ(workload.jobs[2].predicted_s, 0);
  EXPECT_EQ(workload.jobs[0].estimate_s, 100);
  EXPECT_EQ(workload.jobs[1].estimate_s, 1e12);
  EXPECT_EQ(workload.jobs[2].estimate_s, 0.5);
  expect_begins(refusal(3, [&] { (void)read("t,,0\n"); }), "t.csv:2:17: an estimate of 0");
  expect_begins(refusal(3, [&] { (void)read("t,,1e13\n"); }), "t.csv:2:17: a job of 10000000000000 s");
}

// Job 3 comes after two, job 2 is one of the two tasks of the array 7 that run at once; the array 8 has no limit.
TEST(NativeReader, JobsComeAfterOthersAndInArrays) {
  const auto read = [](const std::string& rows) {
    return parse_trace("job_id,submit_s,num_gpus,iterations,iteration_s,class,after,array\n" + rows, "t.csv", "native",
                       three_models());
  };
  const std::string two = "5,0,1,10,1,A,,7%2\n2,0,1,10,1,A,,7%2\n";
  const JobLinks links = read(two + "3,1,1,10,1,A,5 2,8\n").links;
  EXPECT_EQ(links.after, (std::vector<JobLinks::After>{{3, 2}, {3, 5}}));
  EXPECT_EQ(links.tasks, (std::vector<JobLinks::Task>{{2, "7"}, {3, "8"}, {5, "7"}}));
  EXPECT_EQ(links.at_once, (std::map<std::string, std::uint32_t>{{"7", 2}, {"8", 0}}));
  const auto refused = [&](const std::string& row, const std::string& beginning) {
    expect_begins(refusal(3, [&] { (void)read(two + row); }), beginning);
  };
  refused("3,1,1,10,1,A,4,\n", "t.csv:4:14: there is no job 4");
  refused("3,1,1,10,1,A,3,\n", "t.csv:4:14: job 3 does not come before job 3");
  refused("3,1,1,10,1,A,x,\n", "t.csv:4:14: \"x\" is no id");
  refused("3,1,1,10,1,A,,7%3\n", "t.csv:4:15: the array 7 runs 2 tasks at once, and 3");
  refused("3,1,1,10,1,A,,7\n", "t.csv:4:15: the array 7 runs 2 tasks at once, and all");
  refused("3,1,1,10,1,A,,8%0\n", "t.csv:4:15: the array \"8%0\"");
  refused("3,1,1,10,1,A,,8%2%2\n", "t.csv:4:15: the array \"8%2%2\"");
}

// 2^24 GPUs, an arrival after 1e12 s and as much work are the most.
TEST(NativeReader, JobsHaveLimits) {
  const auto workload = native("0,1e12,16777216,1e12,1,A,,\n");
  EXPECT_EQ(workload.jobs.at(0).gpus, 16777216u);
  EXPECT_EQ(workload.jobs.at(0).ideal_s(), 1e12);
  expect_native_refused("0,5,16777217,10,1,A,,\n", "t.csv:2:5: a job of 16777217 GPUs");
  expect_native_refused("0,5,1,1e13,1,A,,\n", "t.csv:2:7: a job of 10000000000000 s");
}

TEST(NativeReader, RefusesAtItsPlace) {
  expect_native_refused("0,5,0,10,1,A,,\n", "t.csv:2:5: a job of 0 GPUs");
  expect_native_refused("0,-5,1,10,1,A,,\n", "t.csv:2:3: submitted at -5 s");
  expect_native_refused("0,1e13,1,10,1,A,,\n", "t.csv:2:3: submitted at 10000000000000 s");
  expect_native_refused("0,5,1,0,1,A,,\n", "t.csv:2:7: work of 0");
  expect_native_refused("0,5,1,-1,1,A,,\n", "t.csv:2:7: work of -1");
  expect_native_refused("0,5,1,10,0,A,,\n", "t.csv:2:10: an iteration time of 0");
  expect_native_refused("0,5,1,10,-1,A,,\n", "t.csv:2:10: an iteration time of -1");
  expect_native_refused("0,5,1,10,nan,A,,\n", "t.csv:2:10: \"nan\" is not a finite number");
  expect_native_refused("0,5,1,1e200,1e200,A,,\n", "t.csv:2:7: a job of inf s");
  expect_native_refused("0,5,1,10,1,,,\n", "t.csv:2:12: a job without a class");
  expect_begins(refusal(3, [] { (void)parse_trace("job_id,submit_s\n0,1\n", "t.csv", "native", three_models()); }),
                "t.csv:1: the header names no column \"num_gpus\"\n  its columns: job_id, submit_s\n"
                "  it was read as a trace of workload.reader = \"native\"; palstudy list readers names others");
}

TEST(Trace, IsSortedStablyAndSaysSo) {
  const auto sorted = native("5,1,1,1,1,A,,\n4,1,1,1,1,A,,\n3,2,1,1,1,A,,\n");
  EXPECT_EQ(ids(sorted), (std::vector<std::int64_t>{5, 4, 3}));
  EXPECT_TRUE(sorted.notes.empty());  // equal times in the order of the file are in order
  const auto unsorted = native("5,9,1,1,1,A,,\n4,1,1,1,1,B,,\n3,9,1,1,1,A,,\n2,1,1,1,1,A,,\n");
  EXPECT_EQ(ids(unsorted), (std::vector<std::int64_t>{4, 2, 5, 3}));
  EXPECT_EQ(unsorted.classes.at(unsorted.jobs[0].cls.index()), "B");
  EXPECT_EQ(unsorted.notes, (std::vector<Note>{{"unsorted", Severity::info, "", {}}}));
}

// The message names the later line and the earlier one, also where the trace is not sorted.
TEST(Trace, RefusesDoubledIds) {
  expect_native_refused("5,9,1,1,1,A,,\n4,1,1,1,1,A,,\n5,2,1,1,1,A,,\n",
                        "t.csv:4:1: the job id 5 is there twice\n  it is first at t.csv:2:1;");
}

TEST(Trace, RefusesATraceWithoutJobs) {
  expect_native_refused("", "t.csv: has no jobs");
  expect_begins(refusal(3, [] { (void)parse_trace("", "t.csv", "native", three_models()); }), "t.csv: is empty");
}

TEST(Trace, AnUnknownReaderIsTheStudysFault) {
  expect_begins(refusal(2, [] { (void)parse_trace("a\n1\n", "t.csv", "si", three_models()); }),
                "workload.reader: unknown reader \"si\"; did you mean \"sia\"?\n  known: csv, gavel, helios, native, "
                "philly-csv, philly-json, sacct, sia, swf, synergy");
}

// Use of the GPU is looked up by model; models that are not in the table, or whose use it leaves out, have none.
TEST(Trace, LooksUpWhatModelsUse) {
  const auto workload = native("0,0,1,1,1,A,resnet50,\n1,0,1,1,1,A,BERT,\n2,0,1,1,1,A,other,\n");
  ASSERT_EQ(workload.model_use.size(), 3u);
  EXPECT_EQ(workload.model_use[0].gpu_util, 0.9);
  EXPECT_EQ(workload.model_use[0].mem_bw_util, 0.5);
  for (const std::size_t i : {1u, 2u}) EXPECT_TRUE(std::isnan(workload.model_use[i].gpu_util));
}

TEST(BindClasses, MakesClassesThoseOfTheCluster) {
  auto workload = native("0,0,1,1,1,C,,\n1,0,1,1,1,A,,\n2,0,1,1,1,C,,\n");
  bind_classes(workload, {"A", "B", "C"}, "t.csv");
  EXPECT_EQ(workload.jobs[0].cls.index(), 2u);
  EXPECT_EQ(workload.jobs[1].cls.index(), 0u);
  EXPECT_EQ(workload.jobs[2].cls.index(), 2u);
  EXPECT_EQ(workload.classes, (std::vector<std::string>{"A", "B", "C"}));
}

TEST(BindClasses, RefusesAClassThatTheClusterDoesNotHave) {
  auto workload = native("0,0,1,1,1,A,,\n1,0,1,1,1,E,,\n");
  expect_begins(refusal(3,
                        [&] {
                          bind_classes(workload, {"A", "B"}, "t.csv", "c.csv");
                        }),
                "t.csv: jobs are of class \"E\", which c.csv does not have\n  classes of c.csv: A, B");
}

// The first job of a class is that of the file, which need not be the first to arrive.
TEST(Trace, FindsTheFirstLineOfAClass) {
  const auto file = std::filesystem::path(testing::TempDir()) / "palstudy-first-line-of-class.csv";
  std::ofstream(file)
      << "job_id,submit_s,num_gpus,iterations,iteration_s,class\n5,9,1,1,1,A\n\n6,8,1,1,1,B\n7,0,1,1,1,B\n";
  EXPECT_EQ(first_line_of_class(file, "native", ModelTable{}, "B"), 4U);
  EXPECT_EQ(first_line_of_class(file, "native", ModelTable{}, "C"), std::nullopt);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace palstudy
