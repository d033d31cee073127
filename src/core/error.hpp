// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
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

/// What is wrong, where, and what to do about it: what a message is made of.
struct ErrorParts {
  std::string what;
  std::string where;   ///< file:line:column, a key, or a dataset; may be empty
  std::string advice;  ///< one short lower-case clause; may be empty

  /// In one line.
  [[nodiscard]] explicit operator std::string() const;
  friend bool operator==(const ErrorParts&, const ErrorParts&) = default;
};

/// The one family of exceptions.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what, const std::string& where = "", const std::string& advice = "");

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(code_); }
  [[nodiscard]] const ErrorParts& parts() const noexcept { return *parts_; }

 private:
  ErrorCode code_;
  std::shared_ptr<const ErrorParts> parts_;  // an exception is copied without throwing
};

/// Shorthands: `throw usage_error(...)`.
[[nodiscard]] Error fault(const std::string& what, const std::string& where = "", const std::string& advice = "");
[[nodiscard]] Error usage_error(const std::string& what, const std::string& where = "", const std::string& advice = "");
[[nodiscard]] Error data_error(const std::string& what, const std::string& where = "", const std::string& advice = "");

}  // namespace palstudy
