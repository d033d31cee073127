// SPDX-License-Identifier: MIT
#include "sim/state/fields.hpp"

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>

#include "core/byte_buffers.hpp"

namespace palstudy {
namespace {

constexpr unsigned archive_flags = boost::archive::no_header;

class Writer final : public Fields {
 public:
  explicit Writer(ByteSink& sink) : Fields(true, UINT64_MAX), archive_(sink, archive_flags) {}

 private:
  void bytes(void* data, std::size_t size) override { archive_.save_binary(data, size); }
  boost::archive::binary_oarchive archive_;
};

class Reader final : public Fields {
 public:
  Reader(ByteSource& source, std::size_t size) : Fields(false, size), archive_(source, archive_flags) {}

 private:
  void bytes(void* data, std::size_t size) override { archive_.load_binary(data, size); }
  boost::archive::binary_iarchive archive_;
};

}  // namespace

void Fields::operator()(std::string& text) {
  text.resize(count(text.size(), 1));
  if (!text.empty()) bytes(text.data(), text.size());
}

void Fields::operator()(GpuSet& gpus) {
  gpus.resize(count(gpus.size(), sizeof(NodeGpus)));
  if (!gpus.empty()) bytes(gpus.data(), gpus.size() * sizeof(NodeGpus));
}

void Fields::operator()(std::vector<GpuSet>& sets) {
  std::vector<std::uint32_t> sizes;
  std::vector<NodeGpus> all;
  if (saving_) {
    for (const GpuSet& set : sets) {
      sizes.push_back(static_cast<std::uint32_t>(set.size()));
      all.insert(all.end(), set.begin(), set.end());
    }
  }
  (*this)(sizes), (*this)(all);
  if (saving_) return;
  sets.clear();
  const NodeGpus* from = all.data();
  for (const std::uint32_t size : sizes) {
    if (all.data() + all.size() - from < static_cast<std::ptrdiff_t>(size)) {
      throw fault("sets of GPUs that end too early");
    }
    sets.emplace_back(from, from + size);
    from += size;
  }
}

std::size_t Fields::count(std::size_t mine, std::size_t size_of_one) {
  std::uint64_t number = mine;
  bytes(&number, sizeof number);
  if (!saving_ && number > limit_ / size_of_one) throw fault("an array longer than what holds it");
  return static_cast<std::size_t>(number);
}

std::string to_bytes(const std::function<void(Fields&)>& write) {
  ByteSink sink;
  {
    Writer writer(sink);
    write(writer);
  }
  return std::move(sink.bytes);
}

void from_bytes(const std::string& bytes, const std::function<void(Fields&)>& read) {
  ByteSource source(bytes);
  Reader reader(source, bytes.size());
  read(reader);
}

}  // namespace palstudy
