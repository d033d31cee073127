// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace palstudy {

enum class ArrayRole {
  input,    ///< filled before the first launch, never written
  output,   ///< written whole by every launch
  scratch,  ///< between the steps of one launch
};

struct ArraySpec {
  std::string name;
  std::size_t bytes = 0;
  ArrayRole role = ArrayRole::input;
};

/// The arrays of a kernel in host memory, in the order of their specs. A kernel knows them by position.
class Arrays {
 public:
  /// Scratch is left out (zero bytes) where only a device needs it.
  explicit Arrays(std::vector<ArraySpec> specs, bool with_scratch = true);

  [[nodiscard]] const std::vector<ArraySpec>& specs() const { return specs_; }
  [[nodiscard]] std::size_t size() const { return specs_.size(); }
  [[nodiscard]] std::span<std::byte> bytes(std::size_t i) { return {data_[i].get(), held_[i]}; }
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t i) const { return {data_[i].get(), held_[i]}; }
  template <class T>
  [[nodiscard]] std::span<T> of(std::size_t i) {
    return {reinterpret_cast<T*>(data_[i].get()), held_[i] / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] std::span<const T> of(std::size_t i) const {
    return {reinterpret_cast<const T*>(data_[i].get()), held_[i] / sizeof(T)};
  }

  /// Sets every byte of the outputs to 0xff, which is a NaN as a float and no index: what a kernel then leaves out
  /// shows.
  void poison_outputs();
  /// How many 4-byte words of the outputs still are as poison_outputs() left them.
  [[nodiscard]] std::size_t unwritten() const;

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  std::vector<ArraySpec> specs_;
  std::vector<std::size_t> held_;
  std::vector<std::unique_ptr<std::byte[], Free>> data_;
};

/// Values uniform in [low, high) with 24 bits, a function of (seed, entity, position) alone. The operands matter: the
/// power of a matrix product depends on their values (arXiv 2212.08805), so all backends and ranks take the same.
void fill_uniform(std::span<float> values, std::uint64_t seed, std::uint64_t entity, float low, float high);

}  // namespace palstudy
