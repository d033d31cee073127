// SPDX-License-Identifier: MIT
// Tables of failures for tests, in the form that `failures.model` names.
#pragma once

#include <string>

namespace palstudy {

inline const std::string failure_head =
    "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n";

/// Every attempt fails after 600 s of run time.
inline const std::string fails_always = failure_head +
                                        "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\n"
                                        "bad input,U,job,yes,yes,10,10,10,1\n";

/// Half of the attempts fail, for reasons of every kind, mostly within minutes.
inline const std::string fails_often =
    failure_head +
    "(attempts that fail),,share,,,,,,50\n(jobs that are killed),,share,,,,,,10\n"
    "bad input,U,job,yes,yes,1,3,6,5\nodd,AE,job,no,no,2,4,5,3\nlink,IF,place,no,no,1,5,9,8\n";

}  // namespace palstudy
