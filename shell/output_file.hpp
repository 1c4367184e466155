// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace osi_cuda::shell {

/// Throws the Failure `cannotWrite` if a file at `path` obviously can't be written: its folder is
/// missing or read-only, or it is a folder itself. To be called before a long solve.
void checkWritable(std::string const& path);

/// A file that the command line names; `name` is what messages call it, an empty path none.
struct NamedFile {
  std::string name;
  std::string path;
  std::string successor = {};  ///< of an input: an output that may take its place
};

/// Throws the Failure `usage` where an output is the same file as an input or another output,
/// whatever paths and links lead there. What is written directly, as /dev/null, may be there twice.
void checkDistinct(std::vector<NamedFile> const& inputs, std::vector<NamedFile> const& outputs);
/// The same, and checkWritable for each output.
void checkOutputs(std::vector<NamedFile> const& inputs, std::vector<NamedFile> const& outputs);

/// Calls write(), which writes the file `path` by the readers (readers/output.hpp: it is whole or
/// as before). A WriteError becomes the Failure `cannotWrite`.
void writeFile(std::string const& path, std::function<void()> const& write);

/// A file with this text, `-` is standard output, in the same way.
void writeTextFile(std::string const& path, std::string const& text);

}  // namespace osi_cuda::shell
