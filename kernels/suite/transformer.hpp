// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace palstudy {

/// Lengths of an encoder layer: `batch` sequences of `length` tokens, `hidden` values a token, `heads` of attention.
struct TransformerSize {
  std::size_t hidden, heads, length, batch;
  [[nodiscard]] std::size_t tokens() const { return batch * length; }
  [[nodiscard]] std::size_t head() const { return hidden / heads; }
};

/// The arrays of the kernel, by position. Matrices are row-major, [in][out]; a row of qkv is the query, key and value
/// of one token.
struct TransformerArrays {
  enum : std::size_t {
    x,
    w_qkv,
    b_qkv,
    w_out,
    b_out,
    w_up,
    b_up,
    w_down,
    b_down,
    gain,
    shift,
    qkv,
    scores,
    context,
    wide,
    sum,
    middle,
    out
  };
};

inline constexpr float layer_norm_eps = 1e-5F;

}  // namespace palstudy
