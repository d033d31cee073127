// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/registry.hpp"
#include "kernels/arrays.hpp"

namespace palstudy {

enum class Backend { host, cuda };
/// Errors (usage): neither "host" nor "cuda".
[[nodiscard]] Backend parse_backend(const std::string& name);
[[nodiscard]] std::string backend_name(Backend backend);

/// What a comparison with float64 found.
struct Verdict {
  double error = 0;        ///< the largest deviation, in units of what rounding allows; NaN counts as infinite
  std::string worst = {};  ///< where it was seen
  [[nodiscard]] bool passed() const { return error <= 1; }
};

/// A kernel at one size: what it computes, on which arrays, at what cost, and how a right result is told from a wrong
/// one. A launch reads the inputs and writes the outputs whole; it leaves no state for the next, so that every batch
/// is the same work.
class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  /// Floating-point operations of one launch, by formula; a multiply-add is two.
  [[nodiscard]] virtual double flops() const = 0;
  /// Bytes that one launch must move through DRAM, by formula: each array read or written once per pass.
  [[nodiscard]] virtual double bytes() const = 0;
  /// The same if no cache helped: every gather of a single value costs what memory gives at least, and every tile of a
  /// product fetches its operands again. Between the two lies what was moved; never less than bytes().
  [[nodiscard]] virtual double bytes_most() const { return bytes(); }
  [[nodiscard]] virtual std::vector<ArraySpec> arrays() const = 0;
  /// The inputs: fixed by the seed, the same on every rank and backend.
  virtual void fill(Arrays& arrays, std::uint64_t seed) const = 0;
  /// The CPU twin: one launch, on one core.
  virtual void compute(Arrays& arrays) const = 0;
  /// Compares the outputs with float64 arithmetic, all of them or as many as take a few seconds.
  [[nodiscard]] virtual Verdict check(const Arrays& arrays) const = 0;
};

/// How a kernel is made, and what there is to know of it besides its parameters. The defaults of those suit a GPU;
/// `host_sizes` are those of a CPU core.
struct KernelMake {
  std::string stands_for;   ///< the kind of application, and the class that it is proposed for
  bool by_default = false;  ///< measured without --all
  std::string pipe;     ///< that the operations use on a GPU: "fp32", "fp64", "fp16", "tensor"; "" where it has none
  std::string library;  ///< "" where the code is ours; else CUDA only, and where the toolkit has it
  std::map<std::string, std::string> host_sizes;
  std::function<std::unique_ptr<Problem>(const ParamValues&)> make;
};
using KernelEntry = Entry<KernelMake>;
using KernelRegistry = Registry<KernelMake>;

/// All kernels, those too that this build or machine cannot run.
[[nodiscard]] const KernelRegistry& kernels();

/// The parameters of a kernel on a backend, `given` ones in the place of the defaults.
/// Errors (usage): an unknown name, text where a number is wanted, out of range.
[[nodiscard]] ParamValues kernel_params(const KernelEntry& kernel, Backend backend,
                                        const std::map<std::string, std::string>& given = {});
/// The same as text, for records: name = value.
[[nodiscard]] std::map<std::string, std::string> kernel_param_texts(const KernelEntry& kernel, Backend backend,
                                                                    const std::map<std::string, std::string>& given);

/// The pipe that a kernel's operations use on a backend: cores have no tensor cores, and the twins widen 16-bit
/// operands to float32.
[[nodiscard]] std::string kernel_pipe(const KernelEntry& kernel, Backend backend);

/// The bytes that a product of two matrices fetches and stores if each tile of the result reads its rows of the left
/// and its columns of the right operand for itself. `operand` and `result`: bytes of an element.
struct TiledProduct {
  double rows = 0, columns = 0, depth = 0;
  double operand = 4, result = 4;
  double tile_rows = 128, tile_columns = 128;
  [[nodiscard]] double bytes() const;
};

/// A whole-number parameter, as an index.
[[nodiscard]] std::size_t size_param(const ParamValues& params, const std::string& name);
/// A required multiple. Errors (usage): `value` is not one of `unit`.
void require_multiple(const std::string& kernel, const std::string& name, std::size_t value, std::size_t unit);

}  // namespace palstudy
