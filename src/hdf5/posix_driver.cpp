// SPDX-License-Identifier: MIT
#include "hdf5/posix_driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace palstudy::hdf5 {
namespace {

struct DiskFile {
  H5FD_t common;  // first: the library sees this alone
  Disk* disk;
  haddr_t end_of_addresses, end_of_file;
};
struct Choice {
  Disk* disk;
};

DiskFile& of(H5FD_t* file) { return *reinterpret_cast<DiskFile*>(file); }
const DiskFile& of(const H5FD_t* file) { return *reinterpret_cast<const DiskFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* choice = static_cast<const Choice*>(H5Pget_driver_info(access));
  if (choice == nullptr) return nullptr;
  auto file = std::make_unique<DiskFile>();
  file->disk = choice->disk;
  return reinterpret_cast<H5FD_t*>(file.release());
}
herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}
haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_addresses; }
herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).end_of_addresses = end;
  return 0;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_file; }

/// Calls `transfer(done)` until `size` bytes are through; what could not be is in the disk's error.
template <class Transfer>
void in_full(Disk& disk, std::size_t size, Transfer transfer) {
  for (std::size_t done = 0; done < size && disk.error == 0;) {
    const ssize_t some = transfer(done);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) {
      disk.error = some < 0 ? errno : ENOSPC;
    } else {
      done += static_cast<std::size_t>(some);
    }
  }
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, void* into) {
  DiskFile& from = of(file);
  auto* bytes = static_cast<char*>(into);
  std::memset(bytes, 0, size);  // beyond the end, and after an error, there are zeros
  const haddr_t there = from.end_of_file > place ? from.end_of_file - place : 0;
  in_full(*from.disk, static_cast<std::size_t>(std::min<haddr_t>(size, there)), [&](std::size_t done) {
    return ::pread(from.disk->descriptor, bytes + done, static_cast<std::size_t>(std::min<haddr_t>(size, there)) - done,
                   static_cast<off_t>(place + done));
  });
  return 0;
}
herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t size, const void* from) {
  DiskFile& to = of(file);
  const auto* bytes = static_cast<const char*>(from);
  in_full(*to.disk, size, [&](std::size_t done) {
    return ::pwrite(to.disk->descriptor, bytes + done, size - done, static_cast<off_t>(place + done));
  });
  to.end_of_file = std::max(to.end_of_file, place + size);
  return 0;
}
herr_t cut(H5FD_t* file, hid_t, hbool_t) {
  DiskFile& which = of(file);
  if (which.end_of_file == which.end_of_addresses) return 0;
  if (which.disk->error == 0 && ::ftruncate(which.disk->descriptor, static_cast<off_t>(which.end_of_addresses)) != 0) {
    which.disk->error = errno;
  }
  which.end_of_file = which.end_of_addresses;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(512);  // numbers from 512 on are free for programs
#endif
  driver.name = "palstudy-disk";
  driver.maxaddr = static_cast<haddr_t>(1) << 62;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Choice);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = cut;
  const H5FD_mem_t one_kind_of_space[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(one_kind_of_space), std::end(one_kind_of_space), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

herr_t write_to(hid_t access, Disk& disk) {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  const Choice choice{&disk};
  return id < 0 ? -1 : H5Pset_driver(access, id, &choice);
}

}  // namespace palstudy::hdf5
