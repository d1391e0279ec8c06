# SPDX-License-Identifier: MIT
# The oracle of distances and depths; its test says that it was skipped where the library is not there.
find_package(fcl QUIET)
find_package(ccd QUIET PATHS /usr/lib/x86_64-linux-gnu/ccd)
if(TARGET fcl AND TARGET ccd)
    target_link_libraries(${program} PRIVATE fcl ccd)
    target_compile_definitions(${program} PRIVATE POINSOT_FCL=1)
endif()
