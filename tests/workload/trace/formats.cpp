// SPDX-License-Identifier: MIT
// Which reader a file is for, by how it begins.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/files.hpp"
#include "workload/models.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::refusal;

const std::filesystem::path tests_of_traces = PALSTUDY_SOURCE_DIR "/tests/workload/trace";
const std::filesystem::path fuzzed = PALSTUDY_SOURCE_DIR "/tests/fuzz/corpus/csv_trace";

/// A file of this test, which goes with it.
class BeginningFile {
 public:
  BeginningFile() : path_(std::filesystem::path(testing::TempDir()) / "palstudy-format.txt") {}
  ~BeginningFile() { std::filesystem::remove(path_); }
  BeginningFile(const BeginningFile&) = delete;
  BeginningFile& operator=(const BeginningFile&) = delete;

  /// The reader of a text; "none" if it is refused by name.
  std::string reader(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return reader_now();
  }
  std::string reader_of_packed(const std::string& text) {
    const gzFile file = gzopen(path_.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return reader_now();
  }

 private:
  std::string reader_now() {
    std::string found;
    try {
      found = reader_of(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::data);
      EXPECT_NE(std::string(error.what()).find(path_.string()), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("workload.reader"), std::string::npos);
      found = "none";
    }
    return found;
  }

  std::filesystem::path path_;
};

constexpr auto native_names = "class,job_id,submit_s,num_gpus,iterations,iteration_s,remark\n";
constexpr auto helios_names = "job_id,user,vc,gpu_num,state,submit_time,start_time,end_time,duration\n";
constexpr auto sacct_names = "JobIDRaw|State|Submit|Start|End|AllocTRES\n";
constexpr auto swf_line = "  1  10 -1 100.5 8 -1 -1 16 300 -1 1 3 7 -1 -1 -1 -1 -1\n";

// What is read as it is, is found as it is: packed, with a byte order mark, with CRLF, behind blank lines.
TEST(ReaderOf, KnowsFormatsByTheirBeginning) {
  BeginningFile file;
  const std::string philly = R"([ {"status": "Pass", "vc": "a", "attempts": []}])";
  for (const auto& [reader, text] : {std::pair<std::string, std::string>("native", native_names),
                                     {"helios", helios_names},
                                     {"swf", swf_line},
                                     {"sacct", sacct_names},
                                     {"sacct", "{\"meta\": {}, \"jobs\": []}"},
                                     {"philly-json", philly}}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(file.reader(text), reader);
    EXPECT_EQ(file.reader_of_packed(text), reader);
    EXPECT_EQ(file.reader("\xEF\xBB\xBF" + text), reader);
    EXPECT_EQ(file.reader("\r\n" + text.substr(0, text.size() - 1) + "\r\n"), reader);
  }
}

// Comments, a line of names and further fields are SWF; another number of fields is not.
TEST(ReaderOf, SwfHasEighteenNumbers) {
  BeginningFile file;
  EXPECT_EQ(file.reader("; Version: 2.2\n;\n" + std::string(swf_line)), "swf");
  EXPECT_EQ(file.reader("; Version: 2.2\n; MaxNodes: 4\n"), "swf");
  EXPECT_EQ(file.reader("job submit wait\n" + std::string(swf_line)), "swf");
  EXPECT_EQ(file.reader("1\t10 -1 1 8 -1 -1 16 300 -1 1 3 7 -1 -1 -1 -1 -1 n[1-2] x\n"), "swf");
  EXPECT_EQ(file.reader("1 10 -1 1 8 -1 -1 16 300 -1 1 3 7 -1 -1 -1 -1\n"), "none");
  EXPECT_EQ(file.reader("; of mine\nkey = value\n"), "none");
}

// A header with Slurm's names is sacct's, in whatever order and with whatever between them; what is wrong with it the
// reader says. A table of another program that has an id under that name is none.
TEST(ReaderOf, SacctHasSlurmsNames) {
  BeginningFile file;
  EXPECT_EQ(file.reader("User;JobID;State\n"), "sacct");
  EXPECT_EQ(file.reader("       JobID    JobName  Partition \n------- \n"), "sacct");
  EXPECT_EQ(file.reader("JobID,submit_time,gpus\n"), "none");
  EXPECT_EQ(file.reader("jobid|state|submit\n"), "none");
  EXPECT_EQ(file.reader("JobIDs|State\n"), "none");
  EXPECT_EQ(file.reader("{\"runs\": []}"), "none");
}

// A native trace has all columns that are required; what other programs write, and nothing at all, is of no format.
TEST(ReaderOf, RefusesWhatItDoesNotKnow) {
  BeginningFile file;
  for (const std::string text : {"", "\n\n", "job_id,submit_s,num_gpus,iterations,iteration_s\n", "id,s,b,e\n",
                                 "1,BERT,8,23349,1\n", "[1, 2]", "[{\"vc\": 1}]", "\x89HDF\r\n\x1a\n"}) {
    EXPECT_EQ(file.reader(text), "none") << text;
  }
  EXPECT_EQ(file.reader("job_id,submit_s,num_gpus,iterations,iteration_s,class,vc,gpu_num,submit_time,start_time,"
                        "duration\n"),
            "none")
      << "helios as well";
  EXPECT_NE(refusal(3, [] { (void)reader_of("/nowhere/jobs.csv"); }), "");
  EXPECT_NE(refusal(3, [] { (void)reader_of(tests_of_traces); }), "") << "a folder";
}

// Samples that other tests read.
TEST(ReaderOf, KnowsTheSamples) {
  for (const auto& entry : std::filesystem::directory_iterator(tests_of_traces / "sacct")) {
    const std::string name = entry.path().filename().string();
    if (name.find("expected") != std::string::npos || name == "README.md") continue;
    EXPECT_EQ(reader_of(entry.path()), "sacct") << name;
  }
  for (const char* table : {"zones.csv", "workers.csv", "shares.csv"}) {
    const auto look = [&] { (void)reader_of(tests_of_traces / "csv" / table); };
    EXPECT_NE(refusal(3, look).find(table), std::string::npos);
  }
  for (const auto& [file, reader] : {std::pair("helios.csv", "helios"),
                                     {"log.swf", "swf"},
                                     {"native.csv", "native"},
                                     {"philly.json", "philly-json"},
                                     {"sacct.json", "sacct"},
                                     {"sacct.psv", "sacct"}}) {
    EXPECT_EQ(reader_of(fuzzed / file), reader);
  }
}

// Every reader reads a file with a byte order mark as it does without.
TEST(Trace, AByteOrderMarkDoesNotCount) {
  const auto jobs = [](const std::string& text) {
    return parse_trace(text, "t", "swf", testing_workload::three_models()).jobs.size();
  };
  EXPECT_EQ(jobs(swf_line), 1U);
  EXPECT_EQ(jobs("\xEF\xBB\xBF" + std::string(swf_line)), 1U);
}

}  // namespace
}  // namespace palstudy
