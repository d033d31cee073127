// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/jobs/job_story.hpp"
#include "analysis/jobs/limit_kills.hpp"
#include "analysis/jobs/run_difference.hpp"

namespace palstudy {

/// "job 5", or "job 123_4 (7 in the trace)" of one that its site calls otherwise.
[[nodiscard]] std::string job_text(std::int64_t job, const std::string& site_job);
/// "3 to 5 and 9", of ascending numbers; of many ranges the first and how many numbers are left.
[[nodiscard]] std::string numbers_text(const std::vector<std::int64_t>& numbers);
/// "a node", "a cabinet", "the cluster"
[[nodiscard]] std::string_view span_text(Level span);

/// "job 5 waited 3 h 2 min, mostly since fewer than 4 GPUs were free": why a job waited, in a sentence.
[[nodiscard]] std::string story_answer(const JobStory& story);

/// A thing that is said of a job, with what it is about: "ahead", "3 earlier jobs started first, 12 GPU hours".
struct StoryLine {
  std::string about, text;
};
/// What else is to be said of it.
[[nodiscard]] std::vector<StoryLine> story_lines(const JobStory& story);

/// "10 of 160 jobs make 63.0 % of the differences between runs 0 and 3".
[[nodiscard]] std::string difference_answer(const RunDifference& all, std::int64_t run, std::int64_t other);
/// "their mean completion time is 2 h in run 0 and 3 h in run 3": what stands under the answer.
[[nodiscard]] std::string difference_means(const RunDifference& all, std::int64_t run, std::int64_t other);
/// "waits longer", "faster GPUs": what makes the most of the difference of a job.
[[nodiscard]] std::string_view difference_text(const JobDifference& one);

/// "3 of 12 jobs that were killed at their limit fell to slow GPUs; they had held 14.2 GPU hours".
[[nodiscard]] std::string kills_answer(const LimitKills& kills, std::int64_t run);

}  // namespace palstudy
