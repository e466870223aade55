"""Triangles and lines drawn into a picture with a depth buffer."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit

NEAR = 1.0e-2
"""Triangles with a corner nearer than this fraction of the system's size are left out."""


class Pen(NamedTuple):
    """How lines are drawn."""

    color: np.ndarray
    """Red, green and blue, (3,)."""
    opacity: float
    thick: int
    """Width [pixels]."""
    bias: float
    """Fraction of the distance by which lines are drawn nearer."""


@njit(nogil=True, cache=True)
def fill(pixels, triangles, normals, colors, image, depth, light, near):
    """Draw triangles with the colors (t, 3) of their corners' shading; ``pixels`` (n, 3): x, y and distance of the corners,
    ``image`` (h, w, 3) and ``depth`` (h, w) are changed."""
    height, width = depth.shape
    for k in range(triangles.shape[0]):
        i, j, m = triangles[k]
        za, zb, zc = pixels[i, 2], pixels[j, 2], pixels[m, 2]
        if za < near or zb < near or zc < near:
            continue
        xa, ya, xb, yb, xc, yc = pixels[i, 0], pixels[i, 1], pixels[j, 0], pixels[j, 1], pixels[m, 0], pixels[m, 1]
        area = (xb - xa) * (yc - ya) - (xc - xa) * (yb - ya)
        if area == 0.0:
            continue
        left, right = max(0, int(np.floor(min(xa, xb, xc)))), min(width - 1, int(np.ceil(max(xa, xb, xc))))
        top, bottom = max(0, int(np.floor(min(ya, yb, yc)))), min(height - 1, int(np.ceil(max(ya, yb, yc))))
        if right < left or bottom < top:
            continue
        # a surface that is seen from behind is lit from there
        side = 1.0 if area < 0.0 else -1.0
        shades = np.empty(3)
        for c in range(3):
            n = normals[triangles[k, c]]
            shades[c] = (
                0.42
                + 0.5 * max(0.0, side * (n[0] * light[0, 0] + n[1] * light[0, 1] + n[2] * light[0, 2]))
                + 0.16 * max(0.0, side * (n[0] * light[1, 0] + n[1] * light[1, 1] + n[2] * light[1, 2]))
            )
        ia, ib, ic = 1.0 / za, 1.0 / zb, 1.0 / zc
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                px, py = x + 0.5, y + 0.5
                a = ((xb - px) * (yc - py) - (xc - px) * (yb - py)) / area
                b = ((xc - px) * (ya - py) - (xa - px) * (yc - py)) / area
                c = 1.0 - a - b
                if a < 0.0 or b < 0.0 or c < 0.0:
                    continue
                z = 1.0 / (a * ia + b * ib + c * ic)
                if z >= depth[y, x]:
                    continue
                depth[y, x] = z
                shade = a * shades[0] + b * shades[1] + c * shades[2]
                for channel in range(3):
                    image[y, x, channel] = min(1.0, shade * colors[k, channel])


@njit(nogil=True, cache=True)
def cover(pixels, triangles, mask, near):
    """Mark the pixels that triangles cover, without depth."""
    height, width = mask.shape
    for k in range(triangles.shape[0]):
        i, j, m = triangles[k]
        if pixels[i, 2] < near or pixels[j, 2] < near or pixels[m, 2] < near:
            continue
        xa, ya, xb, yb, xc, yc = pixels[i, 0], pixels[i, 1], pixels[j, 0], pixels[j, 1], pixels[m, 0], pixels[m, 1]
        area = (xb - xa) * (yc - ya) - (xc - xa) * (yb - ya)
        if area == 0.0:
            continue
        left, right = max(0, int(np.floor(min(xa, xb, xc)))), min(width - 1, int(np.ceil(max(xa, xb, xc))))
        top, bottom = max(0, int(np.floor(min(ya, yb, yc)))), min(height - 1, int(np.ceil(max(ya, yb, yc))))
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                px, py = x + 0.5, y + 0.5
                a = ((xb - px) * (yc - py) - (xc - px) * (yb - py)) / area
                b = ((xc - px) * (ya - py) - (xa - px) * (yc - py)) / area
                if a >= 0.0 and b >= 0.0 and a + b <= 1.0:
                    mask[y, x] = True


@njit(nogil=True, cache=True)
def tint(image, area, floor, mask, shadow):
    """Give the pixels of an area one color, and the marked ones among them a darker one."""
    height, width = area.shape
    for y in range(height):
        for x in range(width):
            if area[y, x]:
                for channel in range(3):
                    image[y, x, channel] = floor[channel] * (shadow if mask[y, x] else 1.0)


@njit(nogil=True, cache=True)
def average(image, fine):
    """Means of squares of ``fine`` by ``fine`` pixels, eight bits a channel."""
    height, width = image.shape[0] // fine, image.shape[1] // fine
    made = np.empty((height, width, 3), dtype=np.uint8)
    for y in range(height):
        for x in range(width):
            for channel in range(3):
                total = 0.0
                for i in range(fine):
                    for j in range(fine):
                        total += image[fine * y + i, fine * x + j, channel]
                made[y, x, channel] = np.uint8(min(255.0, max(0.0, 255.0 * total / (fine * fine) + 0.5)))
    return made


@njit(nogil=True, cache=True)
def stroke(pixels, segments, pen, image, depth, near):
    """Draw segments (s, 2) between corners with a `Pen` where nothing is nearer."""
    height, width = depth.shape
    color, opacity, thick, bias = pen
    for k in range(segments.shape[0]):
        i, j = segments[k]
        za, zb = pixels[i, 2], pixels[j, 2]
        if za < near or zb < near:
            continue
        dx, dy = pixels[j, 0] - pixels[i, 0], pixels[j, 1] - pixels[i, 1]
        steps = int(min(max(abs(dx), abs(dy)), 20000.0)) + 1
        steep = abs(dy) > abs(dx)
        for s in range(steps + 1):
            share = s / steps
            x, y = pixels[i, 0] + share * dx, pixels[i, 1] + share * dy
            z = (1.0 / ((1.0 - share) / za + share / zb)) * (1.0 - bias)
            for w in range(thick):
                shift = w - 0.5 * (thick - 1)
                px, py = (
                    int(np.floor(x + (0.0 if steep is False else shift))),
                    int(np.floor(y + (shift if steep is False else 0.0))),
                )
                if 0 <= px < width and 0 <= py < height and z < depth[py, px]:
                    for channel in range(3):
                        image[py, px, channel] += opacity * (color[channel] - image[py, px, channel])
