// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "study/study.hpp"

namespace palstudy {

/// The numbers of a study's runs, by their ids.
class RunNumbers {
 public:
  /// `study` must outlive it.
  explicit RunNumbers(const Study& study) : study_(study) {}
  /// `likely`: the number of the run where it was found, which is tried first; it is right unless axes have grown
  /// since. Nothing if the study has no such run.
  [[nodiscard]] std::optional<std::int64_t> find(const std::string& id, std::int64_t likely);

 private:
  const Study& study_;
  std::unordered_map<std::string_view, std::int64_t> by_id_;  // made at the first miss; never iterated over
};

}  // namespace palstudy
