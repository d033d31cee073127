// SPDX-License-Identifier: MIT
#pragma once

// Included by .cpp files of this room alone.
#include <hdf5.h>

#include <string>
#include <utility>

namespace palstudy::hdf5 {

/// An identifier of the library that closes itself. Which function closes it depends on its kind.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close how) : id_(id), close_(how) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  /// Closes now; the library's status.
  herr_t close() { return id_ >= 0 ? close_(std::exchange(id_, H5I_INVALID_HID)) : 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Why the last call failed, where it failed; "" if the library does not say.
[[nodiscard]] std::string innermost_reason();

/// Throws a data error if `status` is one of the library's failures: `what` with the library's innermost reason.
/// `where` is file and dataset, `advice` what to do.
void check(long long status, const std::string& what, const std::string& where, const std::string& advice = "");

/// What to do about a file that cannot be read.
inline constexpr const char* restore_file = "restore the file from a copy or make it again";

/// `id` owned, or a data error.
[[nodiscard]] inline Handle own(hid_t id, Handle::Close how, const std::string& what, const std::string& where,
                                const std::string& advice = "") {
  check(id, what, where, advice);
  return {id, how};
}

/// Stops the library from printing its error stack.
void silence();

/// Fixed-length UTF-8 of `size` bytes, padded with NUL.
[[nodiscard]] Handle text_type(std::size_t size, const std::string& where);

}  // namespace palstudy::hdf5
