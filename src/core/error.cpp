// SPDX-License-Identifier: MIT
#include "core/error.hpp"

#include <fmt/format.h>

namespace palstudy {
namespace {

std::string compose(const ErrorParts& of, const char* before_advice) {
  std::string text = of.where.empty() ? of.what : fmt::format("{}: {}", of.where, of.what);
  if (!of.advice.empty()) text += before_advice + of.advice;
  return text;
}

}  // namespace

ErrorParts::operator std::string() const { return compose(*this, "; "); }

Error::Error(ErrorCode code, const std::string& what, const std::string& where, const std::string& advice)
    : std::runtime_error(compose({what, where, advice}, "\n  ")),
      code_(code),
      parts_(std::make_shared<const ErrorParts>(ErrorParts{what, where, advice})) {}

Error fault(const std::string& what, const std::string& where, const std::string& advice) {
  return {ErrorCode::fault, what, where, advice};
}
Error usage_error(const std::string& what, const std::string& where, const std::string& advice) {
  return {ErrorCode::usage, what, where, advice};
}
Error data_error(const std::string& what, const std::string& where, const std::string& advice) {
  return {ErrorCode::data, what, where, advice};
}

}  // namespace palstudy
