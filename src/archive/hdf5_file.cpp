// SPDX-License-Identifier: MIT
// Files, groups and links.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "archive/hdf5.hpp"
#include "archive/hdf5_state.hpp"
#include "archive/not_an_archive.hpp"
#include "archive/shard.hpp"
#include "core/error.hpp"

namespace palstudy::hdf5 {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

// The memory driver's buffer is ours, so that its bytes survive H5Fclose; H5Fget_file_image would copy them and give a
// superblock that is still marked as open. New bytes are zeroed: gaps between objects are written too, and two files of
// the same content shall be equal byte for byte.
void* grow(void* pointer, size_t size, H5FD_file_image_op_t, void* user) {
  auto* image = static_cast<Image*>(user);
  void* moved = std::realloc(pointer, size);
  if (moved == nullptr) return nullptr;
  if (size > image->capacity) std::memset(static_cast<char*>(moved) + image->capacity, 0, size - image->capacity);
  image->bytes = moved;
  image->capacity = size;
  return moved;
}
void* start(size_t size, H5FD_file_image_op_t operation, void* user) { return grow(nullptr, size, operation, user); }
herr_t keep(void*, H5FD_file_image_op_t, void*) { return 0; }
void* same_user(void* user) { return user; }
herr_t free_no_user(void*) { return 0; }

Handle new_file_access(const std::string& name) {
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot prepare a file", name);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "cannot choose the file format", name);
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "cannot prepare a file", name);
  return access;
}

Handle memory_access(Image* image, const std::string& name) {
  Handle access = new_file_access(name);
  constexpr std::size_t increment = std::size_t{4} << 20;
  check(H5Pset_fapl_core(access.get(), increment, false), "cannot prepare a file in memory", name);
  H5FD_file_image_callbacks_t callbacks{start, nullptr, grow, keep, same_user, free_no_user, image};
  check(H5Pset_file_image_callbacks(access.get(), &callbacks), "cannot prepare a file in memory", name);
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

herr_t note_error(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t add_dataset(hid_t, const char* name, const H5O_info_t* info, void* paths) {
  if (info->type == H5O_TYPE_DATASET) {
    static_cast<std::vector<std::string>*>(paths)->emplace_back("/").append(name);
  }
  return 0;
}

// Archives and profiles are replaced by a rename, never changed in place, so reading needs no lock. HDF5's own lock
// would make an intact file unreadable on a file system without locks; older versions of HDF5 take none by a property
// list.
void open_without_lock([[maybe_unused]] hid_t access, [[maybe_unused]] const std::string& name) {
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  check(H5Pset_file_locking(access, false, true), "cannot prepare to read", name);
#endif
}

}  // namespace

Image::~Image() { std::free(bytes); }

void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

void check(long long status, const std::string& what, const std::string& where, const std::string& advice) {
  if (status >= 0) return;
  std::string innermost;  // downward: from the call we made to where it failed, and the last one noted stays
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_error, &innermost);
  H5Eclear2(H5E_DEFAULT);
  throw data_error(what + (innermost.empty() ? "" : " (HDF5: " + innermost + ")"), where, advice);
}

File::File(std::string name, std::unique_ptr<State> state) : name_(std::move(name)), state_(std::move(state)) {}
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

std::int64_t File::id() const { return state_->file.get(); }

namespace {

Handle make_file(const Handle& access, const std::string& name) {
  const Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "cannot prepare a file", name);
  prepare_object(creation.get(), name);
  // With the driver for memory HDF5 looks on the disk for a file of this name first, and would read it; under a file
  // there can be none.
  const std::string nowhere = "/dev/null/" + name;
  return own(H5Fcreate(nowhere.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose, "cannot make a file",
             name);
}

}  // namespace

File File::create(const std::string& name) {
  silence();
  auto state = std::make_unique<State>();
  state->file = make_file(memory_access(&state->image, name), name);
  return {name, std::move(state)};
}

File File::create_on_disk(int descriptor, const std::string& name) {
  silence();
  auto state = std::make_unique<State>();
  state->disk.descriptor = descriptor;
  const Handle access = new_file_access(name);
  check(write_to(access.get(), state->disk), "cannot prepare a file", name);
  state->file = make_file(access, name);
  return {name, std::move(state)};
}

void File::share_work(Helpers& helpers) {
  if (helpers.count() > 0) state_->queue = std::make_unique<ChunkQueue>(helpers);
}

void File::close() {
  const herr_t closed = state_->file.close();
  if (const int error = state_->disk.error; error != 0) {
    H5Eclear2(H5E_DEFAULT);
    throw data_error(std::string("cannot write the file: ") + std::strerror(error), name_,
                     "Make room or give another place, and write it again.");
  }
  check(closed, "cannot close the file", name_);
}

File File::open(const std::filesystem::path& path) {
  silence();
  const std::string name = path.string();
  constexpr const char* give = "Give the path of an archive (palstudy run) or of a profile (palstudy measure).";
  if (!std::filesystem::is_regular_file(path)) {
    if (std::filesystem::exists(path)) {
      throw NotAnArchive(std::filesystem::is_directory(path) ? "is a folder" : "is no file", name, give);
    }
    const bool begun = std::filesystem::is_directory(parts_dir(path));
    throw NotAnArchive(
        "there is no such file", name,
        begun ? "It is not written yet: palstudy status says how far it is, --resume goes on with it." : give);
  }
  const htri_t ours = H5Fis_hdf5(name.c_str());
  H5Eclear2(H5E_DEFAULT);
  if (ours <= 0) {
    throw NotAnArchive("not an HDF5 file", name, give);
  }
  auto state = std::make_unique<State>();
  const Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot prepare to read", name);
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "cannot prepare to read", name);
  open_without_lock(access.get(), name);
  state->file = own(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose,
                    "the file is damaged or cut short and cannot be opened", name, restore_file);
  return {name, std::move(state)};
}

std::span<const std::byte> File::finish() {
  check(H5Fflush(state_->file.get(), H5F_SCOPE_GLOBAL), "cannot finish the file", name_);
  check(state_->file.close(), "cannot close the file", name_);
  // Superblock of version 3: the address of the end of the file stands at byte 28 (HDF5 file format specification,
  // II.A).
  std::uint64_t end = 0;
  std::memcpy(&end, static_cast<const char*>(state_->image.bytes) + 28, sizeof end);
  if (end > state_->image.capacity) throw fault("the file in memory is shorter than its superblock says");
  return {static_cast<const std::byte*>(state_->image.bytes), end};
}

bool File::exists(const std::string& path) const {
  if (path == "/") return true;
  // H5Lexists fails where a group on the way is missing, so each step is asked for.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const htri_t there = H5Lexists(id(), path.substr(0, slash).c_str(), H5P_DEFAULT);
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
      Handle made = own(H5Gcreate2(id(), upper.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose,
                        "cannot make the group", where);
      check(made.close(), "cannot make the group", where);
    }
    if (slash == std::string::npos) return;
  }
}

std::vector<std::string> File::children(const std::string& group) const {
  std::vector<std::string> names;
  if (!exists(group)) return names;
  const std::string where = name_ + ":" + group;
  const Handle handle = own(H5Gopen2(id(), group.c_str(), H5P_DEFAULT), H5Gclose, "cannot open the group", where);
  check(H5Literate(handle.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names), "cannot list the group",
        where);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> File::datasets() const {
  std::vector<std::string> paths;
  check(H5Ovisit2(id(), H5_INDEX_NAME, H5_ITER_INC, add_dataset, &paths, H5O_INFO_BASIC), "cannot list the datasets",
        name_);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string link_name(const std::string& text) {
  std::string link;
  for (const char c : text) {
    if (c == '/' || c == '%') {
      link += c == '/' ? "%2F" : "%25";
    } else {
      link += c;
    }
  }
  return link == "." ? "%2E" : link;
}

std::string unlink_name(const std::string& link) {
  std::string text;
  for (std::size_t i = 0; i < link.size(); ++i) {
    const std::string code = link.substr(i, 3);
    const char plain = code == "%2F" ? '/' : code == "%25" ? '%' : code == "%2E" ? '.' : '\0';
    text += plain == '\0' ? link[i] : plain;
    if (plain != '\0') i += 2;
  }
  return text;
}

}  // namespace palstudy::hdf5
