// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <span>
#include <string>

namespace osi_cuda::examples {

/// An SVG document, element by element; colours are CSS colours, units pixels.
class Svg {
 public:
  /// `description` is what a screen reader says of the picture.
  Svg(double width, double height, std::string const& description);

  void rectangle(double x, double y, double width, double height, std::string const& fill);
  void line(double x1, double y1, double x2, double y2, std::string const& stroke,
            double strokeWidth = 1.0);
  void circle(double x, double y, double radius, std::string const& fill,
              std::string const& title = "");
  /// `path` in SVG's path language, not filled.
  void path(std::string const& path, std::string const& stroke, double strokeWidth,
            std::string const& dashes = "");
  /// `anchor`: start, middle or end.
  void text(double x, double y, std::string const& words, std::string const& anchor = "start",
            double size = 13.0, std::string const& fill = "#1f2933");
  /// The same turned by 90 degrees, for the title of a vertical axis.
  void verticalText(double x, double y, std::string const& words);
  /// Elements as they are.
  void raw(std::string const& elements) { body_ += elements; }

  /// The whole document.
  std::string document() const;

 private:
  double width_, height_;
  std::string description_;
  std::string body_;
};

/// Red, green and blue, each from 0 to 255.
using Rgb = std::array<double, 3>;

/// The colour at `share`, from 0 to 1, of a path of straight lines through two or more anchors.
std::string colourAlong(std::span<Rgb const> anchors, double share);

/// A colour between light yellow (0) and dark blue (1), ordered also in grey.
std::string shade(double share);

}  // namespace osi_cuda::examples
