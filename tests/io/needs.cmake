# SPDX-License-Identifier: MIT
# The oracle of the URDF reader; its test says that it was skipped where the library is not there.
find_package(urdfdom QUIET)
if(TARGET urdfdom::urdfdom_model)
    target_link_libraries(${program} PRIVATE urdfdom::urdfdom_model)
    target_compile_definitions(${program} PRIVATE POINSOT_URDFDOM=1)
endif()
# Trajectory files are damaged by HDF5's own means.
target_link_libraries(${program} PRIVATE HDF5::HDF5)
# Animated glTF is read back by another program.
find_package(assimp QUIET)
target_link_libraries(${program} PRIVATE assimp::assimp)
