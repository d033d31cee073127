// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hdf5/not_an_archive.hpp"

namespace palstudy {

/// What `verify` found wrong with a file, a sentence each.
using Findings = std::vector<std::string>;

/// The fact of the first finding: without its advice, and without the name of the file where it begins with that.
[[nodiscard]] std::string first_fact(const Findings& findings, const std::filesystem::path& file);

/// Errors (data): the first of the findings, and how many there are; nothing where there are none. `what` the file is:
/// "archive" or "profile".
void refuse_damaged(const Findings& findings, const std::filesystem::path& file, const char* what);

/// Runs `step` and turns its refusal into a finding, so that one bad dataset does not hide the others; whether there
/// was none. Errors: NotAnArchive goes on to the caller.
template <class Step>
bool attempt(Findings& findings, const Step& step) {
  try {
    step();
    return true;
  } catch (const NotAnArchive&) {
    throw;
  } catch (const Error& error) {
    findings.emplace_back(error.what());
    return false;
  }
}

}  // namespace palstudy
