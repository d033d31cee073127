// SPDX-License-Identifier: MIT
#include "hdf5/handle.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace palstudy::hdf5 {
namespace {

herr_t note_error(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

std::string innermost_reason() {
  std::string reason;  // downward: from the call we made to where it failed, and the last one noted stays
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_error, &reason);
  return reason;
}

void check(long long status, const std::string& what, const std::string& where, const std::string& advice) {
  if (status >= 0) return;
  const std::string innermost = innermost_reason();
  H5Eclear2(H5E_DEFAULT);
  throw data_error(what + (innermost.empty() ? "" : " (HDF5: " + innermost + ")"), where, advice);
}

Handle text_type(std::size_t size, const std::string& where) {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type", where);
  check(H5Tset_size(type.get(), std::max<std::size_t>(size, 1)), "cannot make a text type", where);
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "cannot make a text type", where);
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "cannot make a text type", where);
  return type;
}

}  // namespace palstudy::hdf5
