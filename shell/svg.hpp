// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace osi_cuda::shell {

/// One logarithmic axis of a plot: from data, `low` to `high`, to pixels, `from` to `to`; and where
/// its marks are. What lies outside is drawn at the end.
struct Axis {
  double base;
  double low, high;
  double from, to;

  double operator()(double value) const;

  /// Powers of the base: every second or third one where they would crowd.
  std::vector<double> marks() const;
};

/// Text with the characters that mean something to SVG and HTML replaced.
std::string escaped(std::string_view text);

/// A coordinate with at most one decimal.
std::string coordinate(double value);

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

}  // namespace osi_cuda::shell
