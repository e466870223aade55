"""Elementary functions of `<W x double>` as LLVM assembly, each good to 2 ulp.

Method: reduce the argument to a small interval, evaluate one polynomial there, restore. Where a rounding would spoil
the last bit, numbers travel as pairs `(high, low)` whose sum is meant (Dekker, Numer. Math. 18 (1971) 224). All lanes
take the same instructions; a lane outside the main range is replaced by libm's value for that lane alone, so the bits
of a lane never depend on its neighbors. Coefficients of sine, cosine, arctangent and logarithm: fdlibm 5.3 (Sun
Microsystems, 1993), files k_sin.c, k_cos.c, s_atan.c, e_log.c; the exponential takes its Taylor series.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import factorial, inf

from vinculum.compile.targets.llvm.lanes import (
    Body,
    Lanes,
    Pair,
    clamp,
    definition,
    exact_product,
    exact_sum,
    fma,
    lane_by_lane,
    loop_over_lanes,
    muladd,
    ordered_sum,
    polynomial,
    product,
    quotient,
    through_libm,
    where,
)
from vinculum.tolerances.round_off import TINY

SIGN_BIT = -(2**63)
"""The sign of a double, as an i64."""
ROUNDER = 1.5 * 2.0**52
"""Added to a double below 2⁵¹ in magnitude, leaves the nearest integer in the low bits."""
ROUNDER_BITS, ROOT_HALF_BITS = 0x4338000000000000, 0x3FE6A09E667F3BCD
LARGEST_ANGLE = 1e5
"""Up to here `reduced_angle` is good."""

# k·HALF_PI[0] and k·HALF_PI[1] are exact for |k| < 2¹⁶ (37 bits each); the three parts hold π/2 to 2⁻¹³⁰.
HALF_PI = tuple(map(float.fromhex, ("0x1.921fb5444p+0", "0x1.68c234c4cp-39", "0x1.98a2e03707345p-77")))
# j·QUARTER_PI[0] is exact for j ≤ 8.
QUARTER_PI = (0.7853981633974483, 3.061616997868383e-17)
# k·LN2[0] is exact for |k| < 2¹¹.
LN2 = tuple(map(float.fromhex, ("0x1.62e42fefa3p-1", "0x1.3de6af278ece6p-42")))

# (x - sin x)/x³ and (cos x - 1)/x² in powers of x², |x| ≤ π/4.
SINE = (
    1.66666666666666324348e-01, -8.33333333332248946124e-03, 1.98412698298579493134e-04,
    -2.75573137070700676789e-06, 2.50507602534068634195e-08, -1.58969099521155010221e-10,
)  # fmt: skip
COSINE = (
    -0.5, 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip
# (x - atan x)/x³ in powers of x², |x| ≤ 7/16.
ARCTANGENT = (
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01,
    9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02,
    4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02,
)  # fmt: skip
# (2 artanh s - 2s)/s³ in powers of s², |s| ≤ 3 - 2√2: to 2⁻⁵⁸, and its Taylor series to 2⁻⁷⁰.
LOGARITHM = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip
TWO_THIRDS = (2 / 3, 2.0**-54 * 2 / 3)
LOGARITHM_SERIES = tuple(2 / (2 * n + 1) for n in range(2, 13))
# (eˣ - 1 - x)/x² in powers of x, |x| ≤ ln 2 / 2.
EXPONENTIAL = tuple(1 / factorial(n) for n in range(2, 14))


def nearest_integer(x: Lanes, factor: float) -> tuple[Lanes, Lanes]:
    """round(x·factor) as a double and as an i64."""
    shifted = muladd(x, factor, ROUNDER)
    return shifted - ROUNDER, shifted.bits() - ROUNDER_BITS


def power_of_two(k: Lanes) -> Lanes:
    """2ᵏ for i64 -1022 ≤ k ≤ 1023."""
    return (k + 1023 << 52).double()


def scale(x: Lanes, k: Lanes) -> Lanes:
    """x·2ᵏ for i64 |k| < 2044, in two factors: neither is out of range before the product is."""
    half = (k + 2048 >> 1) - 1024
    return x * power_of_two(half) * power_of_two(k - half)


def exponent_and_mantissa(x: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """(k, k, m) with x = 2ᵏm, √½ ≤ m < √2, for normal x > 0; k as a double and as an i64."""
    k = (x.bits() - ROOT_HALF_BITS + (1024 << 52) >> 52) - 1024
    return (k + ROUNDER_BITS).double() - ROUNDER, k, (x.bits() - (k << 52)).double()


def reduced_angle(x: Lanes) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """(r, c, e, k) with x = k π/2 + r - c - e, |r| ≤ π/4, |c| < 2⁻⁵⁸: Cody and Waite's reduction in three parts.

    Both terms of r are multiples of 2⁻⁷³, so its rounding error e, at most half an ulp, is zero where |r| < 2⁻²⁰:
    without e, the angle r - c is as good near a multiple of π/2 as elsewhere.
    """
    k, k_integer = nearest_integer(x, 0.6366197723675814)
    first = muladd(k, -HALF_PI[0], x)
    r = muladd(k, -HALF_PI[1], first)
    return r, k * HALF_PI[2], k * HALF_PI[1] - (first - r), k_integer


def sine_and_cosine(r: Lanes, c: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """(s, z, q) with sin(r - c) = r - s, cos r = 1 + zq, |r| ≤ π/4; cos(r - c) has c sin r more."""
    z = r * r
    return muladd(r * z, polynomial(z, SINE), c), z, polynomial(z, COSINE)


def quarter_turned(x: Lanes, quarters: int) -> Lanes:
    """sin(x + quarters π/2): ±sin or ±cos of the reduced angle, by the last two bits of k."""
    r, c, _, k = reduced_angle(x)
    s, z, q = sine_and_cosine(r, c)
    k = k + quarters
    value = where(k.bit(0), muladd(z, q, 1.0), r - s)
    return (value.bits() ^ (k << 62 & SIGN_BIT)).double()


def beyond_reduction(x: Lanes) -> Lanes:
    """Lanes of angles too large for `reduced_angle`, and of NaN."""
    return ~(abs(x) <= LARGEST_ANGLE)


def sin(x: Lanes) -> Lanes:
    return through_libm("sin", beyond_reduction(x), quarter_turned(x, 0), x)


def cos(x: Lanes) -> Lanes:
    """sin(x + π/2): shares all but its last few instructions with `sin` of the same x."""
    return through_libm("cos", beyond_reduction(x), quarter_turned(x, 1), x)


def tan(x: Lanes) -> Lanes:
    """Sine over cosine of the reduced angle for even k, minus cosine over sine for odd k."""
    r, c, e, k = reduced_angle(x)
    s, z, q = sine_and_cosine(r, c)
    z_low = fma(r, r, -z)
    sine = ordered_sum(r, -muladd(e, muladd(z, -0.5, 1.0), s))
    cosine = ordered_sum(1.0, muladd(z, q, muladd(r, e, z_low * -0.5)))
    odd = k.bit(0)
    above = where(odd, -cosine[0], sine[0]), where(odd, -cosine[1], sine[1])
    below = where(odd, sine[0], cosine[0]), where(odd, sine[1], cosine[1])
    high, low = quotient(above, below)
    return through_libm("tan", beyond_reduction(x), (high + low).copysign(high), x)


def direction(y: Lanes, x: Lanes) -> Lanes:
    r"""Angle in [0, π] of the direction (x, y), y ≥ 0.

    .. math:: \arctan(y/|x|) = j\,\pi/4 + \arctan t, \quad
              t = y/|x|,\ (y - |x|)/(y + |x|),\ -|x|/y \ \text{for}\ j = 0, 1, 2, \quad |t| \le 7/16
    """
    base = abs(x)
    total, total_low = exact_sum(base, y)
    difference, difference_low = exact_sum(y, -base)
    steep, flat = base <= y * 0.4375, y <= base * 0.4375
    eighths = where(flat, 0.0, where(steep, 2.0, 1.0))
    above = where(flat, y, where(steep, -base, difference)), where(flat | steep, 0.0, difference_low)
    below = where(flat, base, where(steep, y, total)), where(flat | steep, 0.0, total_low)
    t, t_low = quotient(above, below)
    square = t * t
    t_low = t_low - t * square * polynomial(square, ARCTANGENT)
    left = x < 0.0
    eighths, t, t_low = where(left, 4.0 - eighths, eighths), where(left, -t, t), where(left, -t_low, t_low)
    high, low = ordered_sum(eighths * QUARTER_PI[0], t)
    return high + (low + muladd(eighths, QUARTER_PI[1], t_low))


def atan(x: Lanes) -> Lanes:
    size = abs(x)
    return direction(where(size > 2.0**1000, 2.0**1000, size), x.like(1.0)).copysign(x)


def asin(x: Lanes) -> Lanes:
    """The angle whose sine is x and whose cosine is √(1 - x²)."""
    return direction(abs(x), fma(-x, x, 1.0).sqrt()).copysign(x)


def acos(x: Lanes) -> Lanes:
    """The angle whose cosine is x and whose sine is √(1 - x²)."""
    return direction(fma(-x, x, 1.0).sqrt(), x)


def atan2(y: Lanes, x: Lanes) -> Lanes:
    size = abs(y) + abs(x)
    ordinary = (size >= 2.0**-960) & (size <= 2.0**1000)
    return through_libm("atan2", ~ordinary, direction(abs(y), x).copysign(y), y, x)


def hypot(x: Lanes, y: Lanes) -> Lanes:
    square = muladd(x, x, y * y)
    ordinary = (square >= 2.0**-960) & (square <= 2.0**1000)
    return through_libm("hypot", ~ordinary, square.sqrt(), x, y)


def reduced_exponential(x: Lanes, x_low: Lanes | float = 0.0) -> tuple[Lanes, Lanes, Lanes]:
    """(r, p, k) with exp(x + x_low) = 2ᵏ(1 + r + p), |r| ≤ ln 2 / 2, |p| ≤ r², for |x| < 750."""
    k, k_integer = nearest_integer(x, 1.4426950408889634)
    r, r_low = ordered_sum(muladd(k, -LN2[0], x), x_low - k * LN2[1])
    return r, muladd(r * r, polynomial(r, EXPONENTIAL), r_low), k_integer


def reduced_expm1(x: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """(s, s_low, k) with exp(x) - 1 = 2ᵏ(s + s_low), for -60 < x < 750."""
    r, p, k = reduced_exponential(x)
    s, s_low = ordered_sum(where(x > 60.0, 1.0, 1.0 - power_of_two(0 - k)), r)
    return *ordered_sum(s, s_low + p), k


def exp(x: Lanes) -> Lanes:
    r, p, k = reduced_exponential(clamp(x, -746.0, 710.0))
    return scale(1.0 + (r + p), k)


def expm1(x: Lanes) -> Lanes:
    s, _, k = reduced_expm1(clamp(x, -40.0, 710.0))
    return scale(s, k).copysign(x)


def sinh(x: Lanes) -> Lanes:
    """E/2 + (E/2)/(E + 1) with E = exp|x| - 1."""
    size = clamp(abs(x), 0.0, 711.0)
    s, s_low, k = reduced_expm1(size)
    half, half_low = scale(s, k - 1), scale(s_low, k - 1)
    below, below_low = exact_sum(1.0, half + half)
    high, low = quotient((half, half_low), (below, below_low + (half_low + half_low)))
    return (half + (half_low + where(size > 60.0, 0.0, high + low))).copysign(x)


def cosh(x: Lanes) -> Lanes:
    """e/2 + 1/(2e) with e = exp|x|."""
    r, p, k = reduced_exponential(clamp(abs(x), 0.0, 711.0))
    s, s_low = ordered_sum(1.0, r)
    s, s_low = ordered_sum(s, s_low + p)
    half, half_low = scale(s, k - 1), scale(s_low, k - 1)
    return half + (half_low + 0.25 / half)


def tanh(x: Lanes) -> Lanes:
    """E/(E + 2) with E = exp 2|x| - 1."""
    size = clamp(abs(x), 0.0, 20.0)
    s, s_low, k = reduced_expm1(size + size)
    above = scale(s, k), scale(s_low, k)
    below, below_low = exact_sum(2.0, above[0])
    high, low = quotient(above, (below, below_low + above[1]))
    return (high + low).copysign(x)


def restored_logarithm(k: Lanes, f: Lanes, f_low: Lanes | float = 0.0) -> Lanes:
    """k ln 2 + log(1 + f + f_low), √½ ≤ 1 + f < √2: fdlibm, e_log.c."""
    s = f / (f + 2.0)
    square, half_square = s * s, f * f * 0.5
    correction = muladd(s, muladd(square, polynomial(square, LOGARITHM), half_square), muladd(k, LN2[1], f_low))
    return k * LN2[0] - ((half_square - correction) - f)


def logarithm_of_sum(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """log(a + b + c) for |c| ≪ |b| ≪ a, 2⁻¹⁰²² ≤ a < 2¹⁰²⁰; good to 2 ulp also where a + b + c is next to 1."""
    k, k_integer, m = exponent_and_mantissa(a)
    unit = power_of_two(0 - k_integer)
    f, f_low = ordered_sum(m - 1.0, b * unit)
    return restored_logarithm(k, f, muladd(c, unit, f_low))


def logarithm_pair(x: Lanes) -> Pair:
    """log x with a relative error below 2⁻⁶⁵, for normal x > 0."""
    k, _, m = exponent_and_mantissa(x)
    f = m - 1.0
    s = quotient((f, f.like(0.0)), ordered_sum(2.0, f))
    square = product(s, s)
    factor, factor_low = ordered_sum(TWO_THIRDS[0], square[0] * polynomial(square[0], LOGARITHM_SERIES))
    tail = product(product(s, square), (factor, factor_low + TWO_THIRDS[1]))
    high, low = ordered_sum(s[0] + s[0], tail[0])
    low = low + (tail[1] + (s[1] + s[1]))
    total, total_low = ordered_sum(k * LN2[0], high)
    return ordered_sum(total, total_low + muladd(k, LN2[1], low))


def log(x: Lanes) -> Lanes:
    k, _, m = exponent_and_mantissa(x)
    ordinary = (x >= TINY) & (x < inf)
    return through_libm("log", ~ordinary, restored_logarithm(k, m - 1.0), x)


def log1p(x: Lanes) -> Lanes:
    ordinary = (x > -1.0) & (x < 2.0**1000)
    value = logarithm_of_sum(*exact_sum(1.0, x), x.like(0.0))
    return through_libm("log1p", ~ordinary, value.copysign(x), x)


def asinh(x: Lanes) -> Lanes:
    """log(1 + a + a²/(1 + √(1 + a²))) with a = |x|."""
    size = abs(x)
    square = size * size
    high, low = ordered_sum(size, square / (1.0 + (1.0 + square).sqrt()))
    value = logarithm_of_sum(*exact_sum(1.0, high), low)
    return through_libm("asinh", ~(size <= 2.0**500), value.copysign(x), x)


def acosh(x: Lanes) -> Lanes:
    """log(1 + t + √(2t + t²)) with t = x - 1."""
    t = x - 1.0
    square, square_low = exact_product(t, t)
    radicand, radicand_low = exact_sum(t + t, square)
    root = radicand.sqrt()
    remainder = fma(-root, root, radicand) + (radicand_low + square_low)
    root_low = remainder / where(root > 0.0, root + root, 1.0)
    high, low = ordered_sum(root, t)
    value = logarithm_of_sum(*exact_sum(1.0, high), low + root_low)
    return through_libm("acosh", ~((x >= 1.0) & (x <= 2.0**500)), value, x)


def atanh(x: Lanes) -> Lanes:
    """½ log(1 + 2a/(1 - a)) with a = |x|."""
    size = abs(x)
    high, low = quotient((size + size, x.like(0.0)), ordered_sum(1.0, -size))
    value = logarithm_of_sum(*exact_sum(1.0, high), low) * 0.5
    return through_libm("atanh", ~(size < 1.0), value.copysign(x), x)


def pow(x: Lanes, y: Lanes) -> Lanes:
    """exp(y log|x|), with the sign of x for odd y."""
    size = abs(x)
    logarithm, logarithm_low = logarithm_pair(size)
    high, low = exact_product(y, logarithm)
    r, p, k = reduced_exponential(high, muladd(y, logarithm_low, low))
    value = (1.0 + (r + p)) * power_of_two(k)
    half, whole = y * 0.5, y.rint().equals(y)
    odd = whole & ~half.rint().equals(half)
    ordinary = (size >= TINY) & (size < inf) & (abs(high) < 700.0) & (whole | (x > 0.0))
    return through_libm("pow", ~ordinary, where(odd, value.copysign(x), value), x, y)


VECTORS = (
    sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, exp, expm1, log, log1p, pow, hypot,
)  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Lanes]] = {function.__name__: function for function in VECTORS} | {
    "erf": lambda x: lane_by_lane("erf", x),
    "fmod": lambda x, y: lane_by_lane("fmod", x, y),
    "remainder": lambda x, y: lane_by_lane("remainder", x, y),
}

NAMES = frozenset(FUNCTIONS)
"""The functions `library` can define."""

NEAR = {"near_sin": lambda x: quarter_turned(x, 0), "near_cos": lambda x: quarter_turned(x, 1)}
"""Sine and cosine up to `LARGEST_ANGLE`, the same bits as `sin` and `cos` there."""

INLINED = frozenset(("sin", "cos"))
"""Always inlined, so that sine and cosine of one angle share its reduction and both polynomials."""


def library(names: Iterable[str], width: int) -> str:
    """LLVM assembly of `@v_<name>(<W x double>[, <W x double>])` for each name, and of what they call.

    Defines internal functions `v_*` and `each_*`; declares the libm symbols that the process must provide, and no
    intrinsics, which LLVM knows by name.
    """
    chosen = sorted(set(names))
    if unknown := [name for name in chosen if name not in NAMES]:
        raise ValueError(f"no vector form of {unknown}; choose from {sorted(NAMES)}")
    if width < 1:
        raise ValueError(f"{width} lanes; at least one is needed")
    libm: dict[str, int] = {}
    functions = [
        definition(f"v_{name}", FUNCTIONS[name], Body(width, libm), "alwaysinline" if name in INLINED else "")
        for name in chosen
    ]
    return "\n\n".join([*(loop_over_lanes(name, count, width) for name, count in libm.items()), *functions, ""])


def near_library(width: int) -> str:
    """LLVM assembly of `@near_sin` and `@near_cos`, which call nothing."""
    return "\n\n".join(definition(name, function, Body(width, {}), "alwaysinline") for name, function in NEAR.items())
