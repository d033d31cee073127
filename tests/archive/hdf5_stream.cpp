// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

using hdf5::Element;
using hdf5::Stream;

/// The error that filling a stream of three integers, or of two texts of two bytes, ends with.
std::string error_of(ErrorCode code, const std::function<void(Stream& integers, Stream& texts)>& fill) {
  const TempDir dir;
  try {
    hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) {
      Stream integers(file, "/integers", Element::integer, 3, {"1", "Integers."});
      Stream texts(file, "/texts", Element::text, 2, {"1", "Texts."}, 2);
      fill(integers, texts);
    });
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "none";
}

// A dataset takes values of its type, as many as it has rows, no more and no fewer, and texts as wide as it is: what is
// handed to it otherwise is a mistake of the program, seen before anything is written. A NUL is one of the data.
TEST(Hdf5Stream, TakesWhatItsDatasetHolds) {
  const std::vector<std::int64_t> two = {1, 2};
  const std::vector<double> reals = {1, 2};
  const std::vector<std::int32_t> codes = {1, 2};
  const auto fault_of = [&](const auto& fill) { return error_of(ErrorCode::fault, fill); };
  const auto says = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(fault_of([&](Stream& integers, Stream&) { integers.append(reals); }), "values of another type than");
  says(fault_of([&](Stream& integers, Stream&) { integers.append(codes); }), "values of another type than");
  says(fault_of([&](Stream&, Stream& texts) { texts.append(two); }), "values of another type than");
  says(fault_of([&](Stream& integers, Stream&) { integers.append(two), integers.append(two); }),
       "more values than the dataset has rows");
  says(fault_of([&](Stream& integers, Stream&) { integers.append(two), integers.close(); }),
       "fewer values than the dataset has rows");
  says(fault_of([](Stream&, Stream& texts) {
         texts.append(std::vector<std::string>{"ab", "abc"});
       }),
       "a text longer than its dataset is wide");
  says(error_of(ErrorCode::data,
                [](Stream&, Stream& texts) { texts.append(std::vector<std::string>{std::string("\0a", 2)}); }),
       ":/texts: a text holds a NUL character, which HDF5 cannot keep");
  EXPECT_EQ(fault_of([&](Stream& integers, Stream& texts) {
              integers.append(std::vector<std::int64_t>{1}), integers.append(two), integers.close();
              texts.append(std::vector<std::string>{"ab", ""}), texts.close();
            }),
            "none");
}

// Texts longer than a chunk of 1 MiB, such as a study of many runs, come back whole, each in a chunk of its own.
TEST(Hdf5Stream, TextsMayBeLongerThanAChunk) {
  const TempDir dir;
  const std::vector<std::string> texts = {std::string((1 << 20) + 3, 'a'), "short", std::string((1 << 20) + 3, 'b')};
  hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) {
    write_dataset(file, "/texts", texts, {"1", "Texts."});
  });
  const hdf5::File file = hdf5::File::open(dir.path() / "f.h5");
  EXPECT_TRUE(read_texts(file, "/texts") == texts);
  EXPECT_EQ(read_through(file, "/texts"), 3U);
}

// Deflate makes at most 1,032 bytes of one. A dataset that claims more than 2,000 bytes for each that it takes in the
// file, where 1 MiB more is allowed to all, is damaged, and refused before memory is taken. Nothing was written of
// these two; of 8 bytes a row, 262,144,250 rows are the first to be too many.
TEST(Hdf5Stream, ADatasetThatClaimsTooManyRowsIsRefused) {
  const TempDir dir;
  hdf5::make_file(dir.path() / "f.h5", [](hdf5::File& file) {
    const Stream most(file, "/most", Element::real, 262'144'249, {"1", "As many as there may be."});
    const Stream more(file, "/more", Element::real, 262'144'250, {"1", "One more."});
  });
  const hdf5::File file = hdf5::File::open(dir.path() / "f.h5");
  EXPECT_EQ(rows_of(file, "/most"), 262'144'249U);
  for (const auto& read : std::initializer_list<std::function<void()>>{
           [&] { (void)rows_of(file, "/more"); }, [&] { (void)read_reals(file, "/more"); },
           [&] { (void)read_through(file, "/more"); }, [&] { (void)element_of(file, "/more"); }}) {
    EXPECT_NE(message_of([&] { read(); }).find("f.h5:/more: the dataset claims more rows than its bytes can hold"),
              std::string::npos);
  }
}

// Each kind of value is stored as itself and read as itself; numbers are no texts, and their labels are there.
TEST(Hdf5Stream, EachElementComesBack) {
  const TempDir dir;
  const std::vector<std::int64_t> integers = {-1, INT64_MAX};
  const std::vector<std::int32_t> codes = {-1, INT32_MAX};
  const std::vector<double> reals = {-0.1, 1e300};
  const std::vector<float> singles = {-0.1F, 1e30F};
  const std::vector<std::string> texts = {"", "\xc3\xa9 and more"};
  hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) {
    write_dataset(file, "/g/integers", integers, {"By", "Integers."});
    write_dataset(file, "/g/codes", codes, {"1", "Codes."});
    write_dataset(file, "/g/reals", reals, {"1", "Reals."});
    write_dataset(file, "/g/singles", singles, {"1", "Singles."});
    write_dataset(file, "/g/texts", texts, {"1", "Texts."});
    write_dataset(file, "/g/none", std::span<const std::string>(), {"1", "None."});
  });
  const hdf5::File file = hdf5::File::open(dir.path() / "f.h5");
  EXPECT_EQ(read_integers(file, "/g/integers"), integers);
  EXPECT_EQ(read_codes(file, "/g/codes"), codes);
  EXPECT_EQ(read_reals(file, "/g/reals"), reals);
  EXPECT_EQ(read_singles(file, "/g/singles"), singles);
  EXPECT_EQ(read_texts(file, "/g/texts"), texts);
  EXPECT_TRUE(read_texts(file, "/g/none").empty());
  EXPECT_EQ(element_of(file, "/g/integers"), Element::integer);
  EXPECT_EQ(element_of(file, "/g/codes"), Element::code);
  EXPECT_EQ(element_of(file, "/g/reals"), Element::real);
  EXPECT_EQ(element_of(file, "/g/singles"), Element::single);
  EXPECT_EQ(element_of(file, "/g/texts"), Element::text);
  EXPECT_EQ(read_attribute(file, "/g/integers", "units"), std::vector<std::string>{"By"});
  EXPECT_EQ(read_attribute(file, "/g/integers", "long_name"), std::vector<std::string>{"Integers."});
  EXPECT_THROW((void)read_texts(file, "/g/codes"), Error);
  EXPECT_THROW((void)read_reals(file, "/g/nothing"), Error);
}

}  // namespace
}  // namespace palstudy::test
