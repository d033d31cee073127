// SPDX-License-Identifier: MIT
#include "archive/replaced_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "core/output.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/file.hpp"

namespace palstudy {
namespace fs = std::filesystem;
namespace {

/// "no archive", "no profile", "no cluster" of palstudy.
std::string none_of(const std::string& schema) {
  return fmt::format("no {} of palstudy", schema.substr(schema.find('-') + 1));
}

bool is_among(const std::vector<fs::path>& inputs, const fs::path& path) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const fs::path& input) {
    std::error_code none;  // an input that is not there is refused by who reads it
    return fs::equivalent(input, path, none);
  });
}

/// What keeps the file at `path` from being replaced; "" if nothing does.
std::string why_kept(const fs::path& path, const std::string& schema) {
  if (fs::file_size(path) == 0) return "";
  try {
    const std::string own = join(read_attribute(hdf5::File::open(path), "/", "schema"));
    return own.substr(0, own.find(' ')) == schema ? "" : "is there and " + none_of(schema);
  } catch (const NotAnArchive&) {
    return "is there and " + none_of(schema);
  } catch (const Error&) {
    return "is there, and so damaged that its kind cannot be read";
  }
}

}  // namespace

void require_new_hdf5(const fs::path& path, bool force, const char* schema, const std::vector<fs::path>& inputs) {
  require_new_output(path, true);
  if (!fs::exists(path)) return;
  if (is_among(inputs, path)) {
    throw usage_error("is read by this command and would be lost", path.string(), "give another -o");
  }
  if (const std::string why = why_kept(path, schema); !why.empty()) {
    throw usage_error(why, path.string(), "give another -o; to write there all the same, move the file away first");
  }
  require_new_output(path, force);
}

}  // namespace palstudy
