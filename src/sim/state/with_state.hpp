// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/error.hpp"

namespace boost::archive {
class binary_iarchive;
class binary_oarchive;
}  // namespace boost::archive

namespace palstudy {

/// What the state of a run is saved with and loaded from. Only a .cpp that does either includes
/// `sim/state/state_archive.hpp`, since the headers of Boost.Serialization cost half a second.
using StateOut = boost::archive::binary_oarchive;
using StateIn = boost::archive::binary_iarchive;

/// What a run knows by an interface alone, and what may yet have a state of its own.
class Stateful {
 public:
  virtual ~Stateful() = default;
  /// Saves or loads that state: none, unless the class derives from its interface through `WithState`.
  virtual void state(StateOut& archive) const { (void)archive; }
  virtual void state(StateIn& archive) { (void)archive; }
};

/// A class `Self` derived from `Base` whose state goes through the template `serialize` of Boost.Serialization that it
/// has, which cannot be virtual. (The expressions of these stand in parentheses, or clang-format takes them for
/// declarations.)
template <class Self, class Base>
class WithState : public Base {
 public:
  using Base::Base;
  void state(StateOut& archive) const override { archive << static_cast<const Self&>(*this); }
  void state(StateIn& archive) override { archive >> static_cast<Self&>(*this); }
};

/// Errors (fault): two lengths of a state that differ.
inline void require_same(std::size_t a, std::size_t b) {
  if (a != b) throw fault("the state in a checkpoint has another length");
}

}  // namespace palstudy
