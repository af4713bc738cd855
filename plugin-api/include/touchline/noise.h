/* Randomness that is given, not fetched: the same streams, bit for bit, as those of plugins written in Rust.
 *
 *     tl_noise noise = tl_noise_stream(input->noise);
 *     double error_m = tl_gaussian(&noise, 0.01);
 *
 * PCG XSL 128/64 (MCG) by M. E. O'Neill (2014), keys mixed by SplitMix64; normal numbers by the inverse of their distribution
 * function in P. J. Acklam's rational approximation (2003), with the logarithm of FreeBSD's libm in the tails. */
#ifndef TOUCHLINE_NOISE_H
#define TOUCHLINE_NOISE_H

#include <touchline/geometry.h>

/* One open stream: the 128 bits of its state. */
typedef struct tl_noise {
    uint64_t high;
    uint64_t low;
} tl_noise;

static inline uint64_t tl_noise_mix(uint64_t value) {
    uint64_t z = value + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Opens the stream of a key at its beginning. */
static inline tl_noise tl_noise_stream(tl_noise_key key) {
    uint64_t high = tl_noise_mix(key.owner ^ tl_noise_mix(key.step));
    uint64_t low = tl_noise_mix(high ^ (key.owner << 32 | key.owner >> 32));
    tl_noise noise = {high, low | 1};
    return noise;
}

/* The key of a further, independent stream of the same owner and step. */
static inline tl_noise_key tl_noise_split(tl_noise_key key, uint64_t index) {
    tl_noise_key split = {tl_noise_mix(key.owner ^ tl_noise_mix(index + 1)), key.step};
    return split;
}

/* Draws 64 bits. */
static inline uint64_t tl_noise_next(tl_noise *noise) {
    const uint64_t factor_high = UINT64_C(0x2360ed051fc65da4), factor_low = UINT64_C(0x4385df649fccf645);
#if defined(__SIZEOF_INT128__) && !defined(TL_NO_INT128)
    __extension__ typedef unsigned __int128 wide;
    uint64_t carried = (uint64_t)((wide)noise->low * factor_low >> 64);
#else
    uint64_t a = noise->low >> 32, b = noise->low & 0xffffffff, c = factor_low >> 32, d = factor_low & 0xffffffff;
    uint64_t middle = (b * d >> 32) + (a * d & 0xffffffff) + b * c;
    uint64_t carried = a * c + (a * d >> 32) + (middle >> 32);
#endif
    noise->high = carried + noise->high * factor_low + noise->low * factor_high;
    noise->low = noise->low * factor_low;
    unsigned turn = (unsigned)(noise->high >> 58);
    uint64_t mixed = noise->high ^ noise->low;
    return mixed >> turn | mixed << (-turn & 63);
}

/* The natural logarithm of a number in (0, 1), the same bits everywhere. */
static inline double tl_noise_log(double x) {
    uint64_t bits = tl_bits_of(x);
    uint32_t hx = (uint32_t)(bits >> 32) + (0x3ff00000 - 0x3fe6a09e);
    int32_t k = (int32_t)(hx >> 20) - 0x3ff;
    hx = (hx & 0x000fffff) + 0x3fe6a09e;
    double f = tl_from_bits((uint64_t)hx << 32 | (bits & 0xffffffff)) - 1.0;
    double hfsq = 0.5 * f * f, s = f / (2.0 + f), z = s * s, w = z * z;
    double t1 = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    double t2 = z * (6.666666666666735130e-01 +
                     w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860510658591e-01)));
    double r = t2 + t1, dk = (double)k;
    return s * (hfsq + r) + dk * 1.90821492927058770002e-10 - hfsq + f + dk * 6.93147180369123816490e-01;
}

/* The value below which a standard normal number lies with the probability 1/2 + q. */
static inline double tl_standard_normal(double q) {
    if (fabs(q) > 0.47575) {
        double r = sqrt(-2.0 * tl_noise_log(0.5 - fabs(q)));
        double above = ((((-7.784894002430293e-3 * r + -3.223964580411365e-1) * r + -2.400758277161838) * r +
                         -2.549732539343734) * r + 4.374664141464968) * r + 2.938163982698783;
        double below = (((7.784695709041462e-3 * r + 3.224671290700398e-1) * r + 2.445134137142996) * r +
                        3.754408661907416) * r + 1.0;
        return copysign(-above / below, q);
    }
    double r = q * q, r2 = r * r;
    double above = ((-3.969683028665376e1 * r + 2.209460984245205e2) * r2 + (-2.759285104469687e2 * r + 1.38357751867269e2)) * r2 +
                   (-3.066479806614716e1 * r + 2.506628277459239);
    double below = ((-5.447609879822406e1 * r + 1.615858368580409e2) * r2 + (-1.556989798598866e2 * r + 6.680131188771972e1)) * r2 +
                   (-1.328068155288572e1 * r + 1.0);
    return q * above / below;
}

/* Draws from the normal distribution with mean 0 and this standard deviation; exactly 0 for sigma = 0. */
static inline double tl_gaussian(tl_noise *noise, double sigma) {
    if (sigma == 0.0)
        return 0.0;
    uint64_t bits = tl_noise_next(noise) >> 12 | 1 | UINT64_C(0x3ff0000000000000);
    return sigma * tl_standard_normal(tl_from_bits(bits) - 1.5);
}

/* Two independent draws of tl_gaussian for one number of the generator; none if both deviations are 0. */
static inline void tl_gaussian_pair(tl_noise *noise, const double sigmas[2], double errors[2]) {
    errors[0] = errors[1] = 0.0;
    if (sigmas[0] == 0.0 && sigmas[1] == 0.0)
        return;
    uint64_t bits = tl_noise_next(noise), halves[2] = {bits >> 32, bits & 0xffffffff};
    for (int i = 0; i < 2; i++) {
        uint64_t middle = halves[i] << 20 | UINT64_C(1) << 19 | UINT64_C(0x3ff0000000000000);
        errors[i] = sigmas[i] * tl_standard_normal(tl_from_bits(middle) - 1.5);
    }
}

/* Draws uniformly from [low, high). */
static inline double tl_uniform(tl_noise *noise, double low, double high) {
    double unit = (double)(tl_noise_next(noise) >> 11) * (1.0 / 9007199254740992.0);
    return low + (high - low) * unit;
}

/* Says yes with this probability. */
static inline bool tl_chance(tl_noise *noise, double probability) {
    return tl_uniform(noise, 0.0, 1.0) < probability;
}

#endif
