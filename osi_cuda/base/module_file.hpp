// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>

namespace osi_cuda {

/// A shared library of this project that a program opens at run time, and what is asked of it.
struct ModuleFile {
  std::string name;       ///< of the file, without a folder
  std::string entry;      ///< its one exported function, `T const* entry()`, with C linkage
  std::string interface;  ///< what the first member of T, a `char const*`, has to say
  std::string variable;   ///< an environment variable that names the file or its folder
};

enum class ModuleFault {
  none,
  missing,   ///< there is no such file
  unusable,  ///< the loader refuses it: mostly a library that it needs is missing
  foreign,   ///< it belongs to another build
  misnamed   ///< the variable holds no absolute path
};

/// What came of opening a module.
struct ModuleSearch {
  void const* table = nullptr;  ///< what `entry` returned; null unless fault is none
  ModuleFault fault = ModuleFault::missing;
  std::string reason;  ///< with a fault: the end of a message, without a full stop
};

/// Opens a module, never to be closed. It is looked for where the environment variable says, an
/// absolute path, and nowhere else; without one, and in set-user-id programs, beside this library
/// or program, in osi-cuda/ and ../lib/osi-cuda/ from there, and where the system looks. Never in
/// the current directory. `found` is called before a file that is there is opened. Throws nothing
/// but what `found` throws, and for lack of memory.
ModuleSearch openModule(ModuleFile const& module, std::function<void()> const& found = {});

}  // namespace osi_cuda
