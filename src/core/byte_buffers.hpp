// SPDX-License-Identifier: MIT
#pragma once

#include <streambuf>
#include <string>

namespace palstudy {

/// Appends to a string, which may be hundreds of megabytes: a string stream would keep a copy of it.
class ByteSink : public std::streambuf {
 public:
  std::string bytes;

 protected:
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    bytes.append(from, static_cast<std::size_t>(count));
    return count;
  }
  int_type overflow(int_type byte) override {
    if (!traits_type::eq_int_type(byte, traits_type::eof())) bytes.push_back(traits_type::to_char_type(byte));
    return traits_type::not_eof(byte);
  }
};

/// Reads a string where it lies; it must outlive the buffer.
class ByteSource : public std::streambuf {
 public:
  explicit ByteSource(const std::string& bytes) {
    char* begin = const_cast<char*>(bytes.data());  // never written: there is no put area
    setg(begin, begin, begin + bytes.size());
  }
};

}  // namespace palstudy
