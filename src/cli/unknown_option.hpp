// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace palstudy {

/// The first option on the command line that the sub-command given there does not have, with the nearest that it has:
/// `unknown option "--resum"; did you mean "--resume"?`. Nothing if there is none.
[[nodiscard]] std::optional<std::string> unknown_option(const CLI::App& app);

}  // namespace palstudy
