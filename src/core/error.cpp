// SPDX-License-Identifier: MIT
#include "core/error.hpp"

#include <fmt/format.h>

namespace palstudy {
namespace {

std::string compose(const std::string& what, const std::string& where, const std::string& advice) {
  std::string text = where.empty() ? what : fmt::format("{}: {}", where, what);
  if (!advice.empty()) text += "\n  " + advice;
  return text;
}

}  // namespace

Error::Error(ErrorCode code, const std::string& what, const std::string& where, const std::string& advice)
    : std::runtime_error(compose(what, where, advice)), code_(code) {}

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
