// SPDX-License-Identifier: MIT
#include "poinsot/base/version.hpp"

#include <cstdio>

// The promise of equal bits needs every product rounded before it is summed, in this program too:
//     a = 1 + 2⁻³⁰,  fl(a a) = 1 + 2⁻²⁹,  a a − fl(a a) = 2⁻⁶⁰ if fused and 0 if not.
double defect(double a, double b)
{
    return a * a - b;
}

int main()
{
    volatile double a = 1 + 0x1p-30, b = 1 + 0x1p-29;
    std::printf("Poinsot %s\n", poinsot::version());
    if (defect(a, b) != 0) {
        std::printf("products are contracted: the flags of Poinsot::poinsot did not arrive\n");
        return 1;
    }
    return 0;
}
