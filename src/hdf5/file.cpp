// SPDX-License-Identifier: MIT
#include "hdf5/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "core/files.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

Handle new_file_access(const std::string& name) {
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot prepare a file", name);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "cannot choose the file format", name);
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "cannot prepare a file", name);
  return access;
}

/// Links and attributes stay in the header of their object, under its checksum. From nine on HDF5 would put them into a
/// heap, and 1.10 crashes when it lists a heap that is damaged. An attribute over 64 KiB goes into the heap all the
/// same.
void prepare_object(hid_t creation, const std::string& where) {
  constexpr unsigned most_in_header = 65535;
  check(H5Pset_obj_track_times(creation, false), "cannot prepare the group", where);
  check(H5Pset_link_phase_change(creation, most_in_header, 0), "cannot prepare the group", where);
  check(H5Pset_attr_phase_change(creation, most_in_header, 0), "cannot prepare the group", where);
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

struct Objects {
  H5O_type_t type;
  std::vector<std::string> paths;
};

herr_t add_object(hid_t, const char* name, const H5O_info_t* info, void* objects) {
  auto& found = *static_cast<Objects*>(objects);
  if (info->type == found.type && std::string(name) != ".") found.paths.emplace_back("/").append(name);
  return 0;
}

std::vector<std::string> objects(const File& file, H5O_type_t type, const char* what) {
  Objects found{type, {}};
  check(H5Ovisit2(id_of(file), H5_INDEX_NAME, H5_ITER_INC, add_object, &found, H5O_INFO_BASIC), what, file.name());
  std::ranges::sort(found.paths);
  return std::move(found.paths);
}

// Archives and profiles are replaced by a rename, never changed in place, so reading needs no lock. HDF5's own lock
// would make an intact file unreadable on a file system without locks; older versions of HDF5 take none by a property
// list.
void open_without_lock([[maybe_unused]] hid_t access, [[maybe_unused]] const std::string& name) {
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  check(H5Pset_file_locking(access, false, true), "cannot prepare to read", name);
#endif
}

/// HDF5 opens no file that has no path of its own, so it is given the bytes of a copy in memory.
void read_from_memory(hid_t access, const std::filesystem::path& path) {
  std::string bytes = read_text_file(path);
  constexpr std::size_t block = 65536;
  check(H5Pset_fapl_core(access, block, false), "cannot prepare to read", path.string());
  check(H5Pset_file_image(access, bytes.data(), bytes.size()), "cannot prepare to read", path.string());
}

/// An open file in place of `id`. The library refuses one whose superblock says that a program writes it: it notes that
/// there, under a checksum, and takes it back when it closes the file.
Handle own_opened(hid_t id, const std::string& name) {
  if (id < 0 && innermost_reason().find("already open for write") != std::string::npos) {
    H5Eclear2(H5E_DEFAULT);
    throw OpenElsewhere("another program has the file open for writing, or was killed while it had", name,
                        "wait until it has closed the file; if none has it open, h5clear -s FILE makes it readable");
  }
  return own(id, H5Fclose, "the file is damaged or cut short and cannot be opened", name, restore_file);
}

}  // namespace

File::File(std::string name, std::unique_ptr<State> state) : name_(std::move(name)), state_(std::move(state)) {}
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

File File::create(int descriptor, const std::string& name) {
  silence();
  auto state = std::make_unique<State>();
  state->disk.descriptor = descriptor;
  const Handle access = new_file_access(name);
  check(write_to(access.get(), state->disk), "cannot prepare a file", name);
  const Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "cannot prepare a file", name);
  prepare_object(creation.get(), name);
  state->file =
      own(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose, "cannot make a file", name);
  return {name, std::move(state)};
}

void make_file(const std::filesystem::path& path, const std::function<void(File&)>& fill) {
  DurableFile out(path);
  File file = File::create(out.descriptor(), out.part().string());
  fill(file);
  file.close();
  out.commit();
}

void File::close() {
  const herr_t closed = state_->file.close();
  if (const int error = state_->disk.error; error != 0) {
    H5Eclear2(H5E_DEFAULT);
    throw data_error(std::string("cannot write the file: ") + std::strerror(error), name_,
                     "make room or give another place, and write it again");
  }
  check(closed, "cannot close the file", name_);
}

File File::open(const std::filesystem::path& path) {
  silence();
  const std::string name = path.string();
  constexpr const char* give = "give the path of an archive (palstudy run) or of a profile (palstudy measure)";
  const std::filesystem::path where = where_read(path);
  if (!std::filesystem::is_regular_file(where)) {
    if (std::filesystem::exists(path)) {
      throw NotAnArchive(std::filesystem::is_directory(path) ? "is a folder" : "is no file", name, give);
    }
    const bool begun = std::filesystem::is_directory(parts_dir(path));
    throw NotAnArchive(
        "there is no such file", name,
        begun ? "it is not written yet: palstudy status reports how far it is, --resume continues it" : give);
  }
  if (::access(where.c_str(), R_OK) != 0) {
    throw NotAnArchive(std::strerror(errno), name, "make it readable, or give another file");
  }
  const htri_t ours = H5Fis_hdf5(where.c_str());
  H5Eclear2(H5E_DEFAULT);
  if (ours <= 0) {
    throw NotAnArchive("not an HDF5 file", name, give);
  }
  auto state = std::make_unique<State>();
  const Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot prepare to read", name);
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "cannot prepare to read", name);
  const bool in_memory = where != path;
  if (in_memory) {
    read_from_memory(access.get(), path);
  } else {
    open_without_lock(access.get(), name);
  }
  // The driver for memory wants a name that no file has.
  const std::filesystem::path opened = in_memory ? where / "memory" : where;
  state->file = own_opened(H5Fopen(opened.c_str(), H5F_ACC_RDONLY, access.get()), name);
  return {name, std::move(state)};
}

void require_own(const File& file, const std::string& path) {
  if (path == "/") return;
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string upper = path.substr(0, slash);
    if (!file.state().own_paths.contains(upper)) {
      H5L_info_t link;
      if (H5Lget_info(id_of(file), upper.c_str(), &link, H5P_DEFAULT) < 0) return (void)H5Eclear2(H5E_DEFAULT);
      if (link.type != H5L_TYPE_HARD) {
        throw data_error("is a link to elsewhere, which no file of this program has", place_in(file, upper),
                         "do not use this file, or ask who made it");
      }
      file.state().own_paths.insert(upper);
    }
    if (slash == std::string::npos) return;
  }
}

bool File::exists(const std::string& path) const {
  if (path == "/") return true;
  if (const auto slash = path.rfind('/'); slash != 0 && slash != std::string::npos) {
    require_own(*this, path.substr(0, slash));
  }
  // H5Lexists fails where a group on the way is missing, so each step is checked.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const htri_t there = H5Lexists(id_of(*this), path.substr(0, slash).c_str(), H5P_DEFAULT);
    check(there, "cannot look for " + path, name_, restore_file);
    if (there == 0) return false;
    if (slash == std::string::npos) return true;
  }
}

void File::group(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string upper = path.substr(0, slash);
    if (!exists(upper)) {
      const std::string where = name_ + ":" + upper;
      const Handle creation = own(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "cannot make the group", where);
      prepare_object(creation.get(), where);
      Handle made = own(H5Gcreate2(id_of(*this), upper.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose,
                        "cannot make the group", where);
      check(made.close(), "cannot make the group", where);
    }
    if (slash == std::string::npos) return;
  }
}

std::vector<std::string> File::children(const std::string& group) const {
  std::vector<std::string> names;
  if (!exists(group)) return names;
  require_own(*this, group);
  const std::string where = name_ + ":" + group;
  const Handle handle =
      own(H5Gopen2(id_of(*this), group.c_str(), H5P_DEFAULT), H5Gclose, "cannot open the group", where);
  check(H5Literate(handle.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names), "cannot list the group",
        where);
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> File::datasets() const { return objects(*this, H5O_TYPE_DATASET, "cannot list the datasets"); }

std::vector<std::string> File::groups() const { return objects(*this, H5O_TYPE_GROUP, "cannot list the groups"); }

std::uint64_t File::bytes_behind() const {
  haddr_t end = 0;
  check(H5Fget_eoa(id_of(*this), &end), "cannot read where the file ends", name_);
  const std::uint64_t size = std::filesystem::file_size(name_);
  return size > end ? size - end : 0;
}

std::uint64_t File::bytes_before() const {
  const Handle list = own(H5Fget_create_plist(id_of(*this)), H5Pclose, "cannot read how the file was made", name_);
  hsize_t size = 0;
  check(H5Pget_userblock(list.get(), &size), "cannot read how the file was made", name_);
  return size;
}

std::string library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace palstudy::hdf5
