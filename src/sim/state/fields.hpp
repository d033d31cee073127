// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// Reads or writes field after field: the `serialize` of a class is one code for both ways. Values and arrays go as
/// they lie in memory, since the binary that reads is the one that wrote; types with padding are written by member.
/// `to_bytes` and `from_bytes` make one over an archive of Boost.Serialization.
class Fields {
 public:
  virtual ~Fields() = default;

  [[nodiscard]] bool saving() const { return saving_; }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { bytes(&value, sizeof(T)); }

  template <class T>
  void operator()(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    values.resize(count(values.size(), sizeof(T)));
    if (!values.empty()) bytes(values.data(), values.size() * sizeof(T));
  }
  void operator()(std::string& text);
  void operator()(GpuSet& gpus);
  void operator()(std::vector<GpuSet>& sets);

  /// The values of some jobs in a column by JobId.
  template <class Column>
  void of_jobs(const std::vector<JobId>& jobs, Column& column) {
    std::vector<typename Column::value_type> values;
    if (saving_) {
      values.reserve(jobs.size());
      for (const JobId job : jobs) values.push_back(column[job.index()]);
    }
    (*this)(values);
    if (saving_) return;
    require_same(values.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) column[jobs[i].index()] = values[i];
  }

  /// The first `count` values of a column that has at least as many.
  template <class Column>
  void first_of(std::size_t count, Column& column) {
    require_same(column.size() >= count ? count : column.size(), count);
    std::vector<typename Column::value_type> values;
    if (saving_) values.assign(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(count));
    (*this)(values);
    if (saving_) return;
    require_same(values.size(), count);
    for (std::size_t i = 0; i < count; ++i) column[i] = values[i];
  }

  /// The number of things of that size which follow.
  [[nodiscard]] std::size_t count(std::size_t mine, std::size_t size_of_one);

  /// Errors (fault): two lengths of a state that differ.
  static void require_same(std::size_t a, std::size_t b) {
    if (a != b) throw fault("the state in a checkpoint has another length");
  }

 protected:
  /// `limit`: the bytes that there are to read; no array is made longer.
  Fields(bool saving, std::uint64_t limit) : saving_(saving), limit_(limit) {}
  virtual void bytes(void* data, std::size_t size) = 0;

 private:
  bool saving_;
  std::uint64_t limit_;
};

/// What `write` gives to its fields, as bytes.
[[nodiscard]] std::string to_bytes(const std::function<void(Fields&)>& write);
/// Reads fields in the order in which they were written. Errors: any, where the bytes are others.
void from_bytes(const std::string& bytes, const std::function<void(Fields&)>& read);

}  // namespace palstudy
