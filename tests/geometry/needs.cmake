# SPDX-License-Identifier: MIT
# The oracle of distances and depths; its test says that it was skipped where the libraries are not there.
find_package(fcl QUIET)
if(TARGET fcl AND TARGET ccd)
    target_link_libraries(${program} PRIVATE fcl ccd)
    # FCL hands Eigen's arrays about as Debian compiled them: aligned for older processors.
    set_source_files_properties(geometry/oracle.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
        COMPILE_DEFINITIONS "POINSOT_FCL=1;EIGEN_MAX_ALIGN_BYTES=16")
endif()
