// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.hpp"

namespace palstudy {

/// The error with which `act` ends; a fault if it ends without one.
template <class Act>
Error error_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error;
  }
  return fault("nothing was refused");
}

/// What is said where `act` is refused with this code; "" where it is not refused.
template <class Act>
std::string message_or_none(ErrorCode code, Act act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "";
}

/// The same of what has to be refused.
template <class Act>
std::string message_of(ErrorCode code, Act act) {
  const std::string message = message_or_none(code, act);
  EXPECT_NE(message, "") << "nothing was refused";
  return message;
}

/// The same, with whatever code.
template <class Act>
std::string message_of(Act act) {
  const Error error = error_of(act);
  EXPECT_STRNE(error.what(), fault("nothing was refused").what());
  return error.what();
}

inline void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << "\nis not in\n" << message;
}

}  // namespace palstudy
