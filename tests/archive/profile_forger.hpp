// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy::test {

/// Copies a profile file dataset by dataset, with changes on the way: what somebody else's program might write.
class Forger {
 public:
  explicit Forger(const std::filesystem::path& from) : from_(hdf5::File::open(from)) {}
  std::vector<std::string> leave_out;
  std::string in_furlongs, turned_round;  // a dataset; a group whose list of columns is
  std::string retyped;                    // a dataset stored as another type
  bool checksum = true;                   // of what is forged, so that it holds
  std::function<void(const std::string&, std::vector<std::int64_t>&)> integers = [](auto&, auto&) {};
  std::function<void(const std::string&, std::vector<double>&)> reals = [](auto&, auto&) {};

  void write(const std::filesystem::path& to) {
    hdf5::make_file(to, [&](hdf5::File& file) {
      fill(file);
      if (checksum) write_checksum(file);
    });
  }

 private:
  void fill(hdf5::File& file) const {
    for (const char* name : {"schema", "digest", "profile.origin"}) {
      write_attribute(file, "/", name, join(read_attribute(from_, "/", name)));
    }
    const auto left_out = [&](const std::string& path) {
      return std::find(leave_out.begin(), leave_out.end(), path) != leave_out.end();
    };
    for (const std::string& path : from_.datasets()) {
      if (!left_out(path) && !has_no_values(from_, path)) copy(path, file);
    }
    for (auto [scale, columns] : scales(from_)) {
      std::erase_if(columns, left_out);
      if (!left_out(scale)) share_rows(file, scale, columns);
    }
    for (const std::string& group : from_.children("/")) {
      file.group("/" + group);
      std::vector<std::string> columns = read_attribute(from_, "/" + group, "columns");
      if ("/" + group == turned_round) std::reverse(columns.begin(), columns.end());
      write_attribute(file, "/" + group, "columns", columns);
    }
  }

  void copy(const std::string& path, hdf5::File& to) const {
    const hdf5::Label label{path == in_furlongs ? "[fur_us]" : join(read_attribute(from_, path, "units")),
                            join(read_attribute(from_, path, "long_name"))};
    if (path == retyped) return copy_retyped(path, to, label);
    switch (element_of(from_, path)) {
      case hdf5::Element::integer: {
        auto values = read_integers(from_, path);
        integers(path, values);
        return write_dataset(to, path, values, label);
      }
      case hdf5::Element::code: {
        const auto values = read_codes(from_, path);
        write_dataset(to, path, values, label);
        return write_attribute(to, path, "names", join(read_attribute(from_, path, "names")));
      }
      case hdf5::Element::real: {
        auto values = read_reals(from_, path);
        reals(path, values);
        return write_dataset(to, path, values, label);
      }
      case hdf5::Element::single: {
        const auto values = read_singles(from_, path);
        return write_dataset(to, path, values, label);
      }
      case hdf5::Element::text: {
        const auto values = read_texts(from_, path);
        return write_dataset(to, path, values, label);
      }
    }
  }

  /// Numbers as others, texts as codes and codes as texts; what they hold is of no matter.
  void copy_retyped(const std::string& path, hdf5::File& to, const hdf5::Label& label) const {
    const std::size_t rows = rows_of(from_, path);
    switch (element_of(from_, path)) {
      case hdf5::Element::integer:
      case hdf5::Element::single:
        return write_dataset(to, path, std::vector<double>(rows), label);
      case hdf5::Element::real:
        return write_dataset(to, path, std::vector<float>(rows), label);
      case hdf5::Element::code:
        return write_dataset(to, path, std::vector<std::string>(rows), label);
      case hdf5::Element::text:
        return write_dataset(to, path, std::vector<std::int32_t>(rows), label);
    }
  }

  hdf5::File from_;
};

}  // namespace palstudy::test
