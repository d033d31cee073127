// SPDX-License-Identifier: MIT
#include "shard/byte_schema.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace palstudy::test {
namespace {

using Json = nlohmann::json;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// What a field is called, in its struct or one around it; `a.b` is b of the element of a at this place.
const Json& value_of(const std::string& name, const auto& scope, std::size_t place) {
  const auto dot = name.find('.');
  const std::string first = name.substr(0, dot);
  for (const auto* at = &scope; at != nullptr; at = at->outer) {
    if (!at->values.contains(first)) continue;
    const Json& value = at->values.at(first);
    return dot == std::string::npos ? value : value.at(place).at(name.substr(dot + 1));
  }
  throw std::runtime_error("no field " + name + " before the one that needs it");
}

std::uint64_t count_of(const Json& count, const auto& scope, std::size_t place) {
  return count.is_string() ? value_of(count.get<std::string>(), scope, place).template get<std::uint64_t>()
                           : count.get<std::uint64_t>();
}

}  // namespace

Json BySchema::read() {
  Json value = read_struct(schema_.at("start"), nullptr);
  require(at_ == bytes_.size(), "there are bytes that the schema does not tell of");
  return value;
}

Json BySchema::read_struct(const std::string& name, const Scope* outer) {
  const Json& fields = schema_.at("structs").at(name);
  Scope scope{outer, Json::object(), {}};
  read_fields(fields, scope);
  check_sums(fields, scope);
  return scope.values;
}

void BySchema::read_fields(const Json& fields, Scope& scope) {
  for (const Json& field : fields) {
    if (!field.contains("switch")) {
      read_field(field, scope);
      continue;
    }
    const Json& key = value_of(field.at("switch").get<std::string>(), scope, 0);
    const auto chosen = key.is_string() ? key.get<std::string>() : std::to_string(key.get<std::uint64_t>());
    require(field.at("cases").contains(chosen), "no case " + chosen);
    read_fields(field.at("cases").at(chosen), scope);
  }
}

void BySchema::read_field(const Json& field, Scope& scope) {
  const std::string name = field.at("name");
  const std::size_t begin = at_;
  Json value;
  if (!field.contains("repeat")) {
    value = read_one(field, scope, 0);
  } else {
    value = Json::array();
    const bool to_the_end = field.at("repeat") == "to the end";
    const std::uint64_t count = to_the_end ? 0 : count_of(field.at("repeat"), scope, 0);
    while (to_the_end ? at_ < bytes_.size() : value.size() < count) {
      value.push_back(read_one(field, scope, value.size()));
    }
  }
  if (field.contains("value")) require(value == field.at("value"), name + " is another");
  if (field.contains("values")) {
    const std::string word = value.is_string() ? value.get<std::string>() : std::to_string(value.get<std::uint64_t>());
    require(field.at("values").contains(word), name + " has no meaning: " + word);
  }
  scope.values[name] = std::move(value);
  scope.places[name] = {begin, at_};
}

Json BySchema::read_one(const Json& field, const Scope& scope, std::size_t place) {
  const std::string type = field.at("type");
  if (field.contains("prefix")) return take(read_number(field.at("prefix")).get<std::uint64_t>());
  const bool sized = field.contains("size");
  const std::uint64_t size = sized ? count_of(field.at("size"), scope, place) : 0;
  const std::size_t begin = at_;
  Json value;
  if (type == "bytes" || type == "text") {
    std::string text = take(size);
    if (type == "text") text.resize(strnlen(text.data(), text.size()));
    value = text;
  } else if (schema_.at("structs").contains(type)) {
    const auto all = bytes_;
    require(!sized || size <= bytes_.size() - begin, "the bytes end before the schema does");
    if (sized) bytes_ = all.first(begin + size);
    value = read_struct(type, &scope);
    bytes_ = all;
    require(!sized || at_ - begin == size, type + " has another size");
  } else {
    value = read_number(type);
  }
  if (field.contains("xxh3_64")) {
    const std::string bytes(reinterpret_cast<const char*>(bytes_.data()) + begin, at_ - begin);
    require(value_of(field.at("xxh3_64"), scope, place) == hash_of_text(bytes), "a checksum does not hold");
  }
  return value;
}

void BySchema::check_sums(const Json& fields, const Scope& scope) const {
  for (const Json& field : fields) {
    if (!field.contains("xxh3_64_of")) continue;
    std::string all;
    for (const Json& name : field.at("xxh3_64_of")) {
      const auto [begin, end] = scope.places.at(name);
      all.append(reinterpret_cast<const char*>(bytes_.data()) + begin, end - begin);
    }
    require(scope.values.at(field.at("name")) == hash_of_text(all), "a checksum does not hold");
  }
}

std::string BySchema::take(std::uint64_t size) {
  require(size <= bytes_.size() - at_, "the bytes end before the schema does");
  const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
  at_ += size;
  return {begin, begin + size};
}

template <class T>
T BySchema::take_number() {
  T number;
  std::memcpy(&number, take(sizeof number).data(), sizeof number);
  return number;
}

Json BySchema::read_number(const std::string& type) {
  if (type == "u8") return take_number<std::uint8_t>();
  if (type == "u32") return take_number<std::uint32_t>();
  if (type == "u64") return take_number<std::uint64_t>();
  if (type == "i32") return take_number<std::int32_t>();
  if (type == "i64") return take_number<std::int64_t>();
  if (type == "f32") return take_number<float>();
  require(type == "f64", "no type " + type);
  return take_number<double>();
}

Json read_schema(const std::string& name) {
  std::ifstream file(std::string(PALSTUDY_SOURCE_DIR) + "/hdf5-schemas/" + name);
  return Json::parse(file);
}

std::vector<std::byte> bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

std::uint64_t hash_of_text(const std::string& bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace palstudy::test
