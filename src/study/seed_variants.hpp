// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Keys that change nothing of a run beside themselves: no other key's value, no check and no cost depends on them.
/// They are what studies have many values of, seeds above all.
[[nodiscard]] bool is_free_key(const std::string& key);

/// The runs of a study that differ in free keys alone. They are completed and planned once; a member then costs no more
/// than its copy. A member is what `make_plan(complete(...))` of its own point is, id and all.
class RunFamily {
 public:
  /// `point`: completed, of any member. `varied`: the free keys that vary, with the place of each one's value in what
  /// `member` is given; several may follow one value, as the seeds do.
  RunFamily(const Point& point, const std::map<std::string, std::size_t>& varied);
  /// The plan of the member with these values, in the form of their keys; number and axis values are the caller's.
  [[nodiscard]] RunPlan member(const std::vector<const TomlValue*>& values) const;
  /// Of the point it was made from.
  [[nodiscard]] const RunPlan& first() const { return plan_; }

 private:
  using Set = void (*)(RunPlan&, const TomlValue&);
  struct Varied {
    std::string before;  ///< the canonical text from the last one to here
    std::string key;
    std::size_t value;
    Set set;
  };
  RunPlan plan_;
  std::vector<Varied> varied_;
  std::string rest_;  ///< the canonical text after the last one
};

}  // namespace palstudy
