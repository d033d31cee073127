// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "hdf5/attribute.hpp"

namespace palstudy {

/// Numbers in place of the names of hosts, devices and people, such as "host-07" for one in a field "host". The numbers
/// of a field are in the order of its names, since what is drawn from measured nodes depends on that order.
class NumberedNames {
 public:
  /// Before `number`: takes the name and returns it. Afterwards: returns what stands for it; "" for "".
  std::string operator()(const std::string& field, const std::string& name);
  void number();

 private:
  std::map<std::string, std::map<std::string, std::string>> fields_;  ///< of each, name -> what stands for it
  bool numbered_ = false;
};

/// A table (CSV with a heading) or a list of records (JSON), with numbers in place of the texts in all fields that no
/// reader of traces and clusters takes, hosts, GPUs and users among them. "" if the text is neither.
[[nodiscard]] std::string anonymous_records(const std::string& text, NumberedNames& names);
/// Any other text, without its comments.
[[nodiscard]] std::string without_comments(const std::string& text);

/// What the copy of an archive has otherwise.
struct Overrides {
  std::map<std::string, hdf5::AttributeValue> attributes = {};  ///< of the root
  std::string study = {};                                       ///< the resolved one
  std::map<std::string, std::string> renamed_ids = {};          ///< Provenance::renamed_ids of the copy
  std::map<std::string, std::string> paths = {};                ///< of inputs: as written -> what stands for it
};

/// Writes an archive or a profile again, its hosts, cabinets, GPUs and jobs of Slurm by `names` (so that a first copy
/// takes them and a second has their numbers), and without command lines, notes and remarks. What the digest of an
/// archive covers stays; that of a profile is computed again. Errors (data): cannot be read or written.
void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, NumberedNames& names,
                      Overrides instead = {});

}  // namespace palstudy
