// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace palstudy {

/// Why the program ends, and the exit code it ends with.
enum class ErrorCode : int {
  fault = 1,         ///< internal error: a mistake in the program
  usage = 2,         ///< the command line or the study file
  data = 3,          ///< an input: a trace, a cluster table, a profile, a shard, an archive
  stopped = 4,       ///< ended early; can be resumed
  verification = 5,  ///< an archive does not hold what it says
};

/// The one family of exceptions. A message says what is wrong, where, and what to do about it.
class Error : public std::runtime_error {
 public:
  /// `where` is file:line:column, a key, or a dataset; `advice` is one short lower-case clause. Either may be empty.
  Error(ErrorCode code, const std::string& what, const std::string& where = "", const std::string& advice = "");

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(code_); }

 private:
  ErrorCode code_;
};

/// Shorthands: `throw usage_error(...)`.
[[nodiscard]] Error fault(const std::string& what, const std::string& where = "", const std::string& advice = "");
[[nodiscard]] Error usage_error(const std::string& what, const std::string& where = "", const std::string& advice = "");
[[nodiscard]] Error data_error(const std::string& what, const std::string& where = "", const std::string& advice = "");

}  // namespace palstudy
