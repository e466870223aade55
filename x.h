// Equations of 'pendulum', form lagrange, 4 in j, p.x, p.y, p.z
// q: j, p.x, p.y, p.z
// v: j, p.x, p.y, p.z
#ifndef X_H
#define X_H

/* in:
 *   [0..3] q
 *   [4..7] v
 *   [8..11] tau
 *   [12..12] t
 *   [13..13] parameters
 *   parameters: m
 * out:
 *   [0..15] mass_matrix
 *   [16..19] bias
 *   [20..23] accelerations
 */
#define X_INPUTS 14
#define X_OUTPUTS 24
#ifdef __cplusplus
extern "C" {
#endif
void x(const double *in, double *out);
#ifdef __cplusplus
}
#endif
#endif
