// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "study/study.hpp"

namespace palstudy {

/// The numbers that a study gives runs, by their ids.
class RunNumbers {
 public:
  /// `study` must outlive it.
  explicit RunNumbers(const Study& study) : study_(study) {}
  /// `likely`: the number that the run had where it was found; unless axes have grown since, it is the one that is
  /// sought. Nothing if the study has no such run.
  [[nodiscard]] std::optional<std::int64_t> find(const std::string& id, std::int64_t likely);

 private:
  const Study& study_;
  std::unordered_map<std::string_view, std::int64_t> by_id_;  // made when it is first needed; looked up only
};

}  // namespace palstudy
