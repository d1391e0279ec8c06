// SPDX-License-Identifier: MIT
#pragma once

// What a cut carries, and the most it has carried in the run.

#include "poinsot/model/cut.hpp"

namespace poinsot {

struct CutRecord {
    SectionLoad load;        // now
    double utilisation = 0;  // of the strength; 0 where there is no limit
    double most = 0, at = 0; // the largest, and when, s
    const char* by = "";     // which of the limits that was
    bool gone = false;       // what it cuts has let go
    bool over = false;       // it is loaded beyond its strength
};

} // namespace poinsot
