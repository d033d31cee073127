// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analysis/jobs/job_story.hpp"
#include "analysis/jobs/limit_kills.hpp"
#include "analysis/jobs/run_difference.hpp"

namespace palstudy {

/// What `palstudy why` answers, and of what.
template <class Answer>
struct WhyOf {
  std::int64_t run = 0;
  bool simulated = false;  ///< the archive lacks rows that it needs, so that the run was simulated again
  Answer answer;
};

/// Two runs beside each other.
struct RunsApart {
  std::int64_t other = 0;
  RunDifference difference;
};

/// For people: the answer first, then what it is made of, in lines of at most `columns`.
[[nodiscard]] std::string why_text(const WhyOf<JobStory>& why, std::size_t columns);
[[nodiscard]] std::string why_text(const WhyOf<RunsApart>& why, std::size_t columns);
[[nodiscard]] std::string why_text(const WhyOf<LimitKills>& why, std::size_t columns);

/// For programs: palstudy.why/1. Times in seconds; null for what is not there.
[[nodiscard]] std::string why_json(const WhyOf<JobStory>& why);
[[nodiscard]] std::string why_json(const WhyOf<RunsApart>& why);
[[nodiscard]] std::string why_json(const WhyOf<LimitKills>& why);

}  // namespace palstudy
