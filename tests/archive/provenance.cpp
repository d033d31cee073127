// SPDX-License-Identifier: MIT
#include "archive/provenance.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "archive/archive_runs.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/small_profile.hpp"
#include "core/build_info.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/file.hpp"

namespace palstudy::test {
namespace {

// A check reads each attribute of how a file came to be by its name, so the list of these names has all that are
// written, and no other: of a profile the root has them, its schema, its digest and its checksum.
TEST(Provenance, TheListOfItsAttributesIsWhole) {
  const TempDir dir;
  write_profile(dir.path() / "p.h5", small_profile(), some_provenance());
  std::vector<std::string> names = origin_attributes();
  std::erase(names, "notes");  // a table now, in files of older programs an attribute
  names.insert(names.end(), {"schema", "digest", "checksum", "checksum.parts"});
  std::ranges::sort(names);
  const hdf5::File file = hdf5::File::open(dir.path() / "p.h5");
  EXPECT_EQ(attribute_names(file, "/"), names);
  const auto of = [&](const char* name) { return join(read_attribute(file, "/", name)); };
  EXPECT_EQ(of("program"), "palstudy");
  EXPECT_EQ(of("program_version"), build_info().version);
  EXPECT_EQ(of("program_commit"), build_info().commit);
  EXPECT_EQ(of("compiler"), build_info().compiler);
  EXPECT_EQ(of("compiler_flags"), build_info().flags);
  EXPECT_EQ(of("hdf5_version"), hdf5::library_version());
}

}  // namespace
}  // namespace palstudy::test
