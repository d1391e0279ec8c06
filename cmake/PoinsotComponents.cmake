# SPDX-License-Identifier: MIT
# What each component links. Used by the build and, installed, by find_package(Poinsot).

# Looks for one package; if `target` does not exist afterwards, `name` joins the missing ones.
macro(poinsot_find_one NAME package target)
    find_package(${package} QUIET ${ARGN})
    if(TARGET ${target})
        list(APPEND POINSOT_${NAME}_TARGETS ${target})
    else()
        list(APPEND POINSOT_${NAME}_MISSING ${package})
    endif()
endmacro()

# Sets POINSOT_<NAME>_TARGETS and POINSOT_<NAME>_MISSING of a component.
macro(poinsot_find component)
    string(TOUPPER ${component} _poinsot_name)
    set(POINSOT_${_poinsot_name}_TARGETS)
    set(POINSOT_${_poinsot_name}_MISSING)
    if(${component} STREQUAL hull)
        poinsot_find_one(HULL Qhull Qhull::qhull_r)
    elseif(${component} STREQUAL stiff)
        # The package asks for OpenMP, which the serial parts do not use and clang may not have.
        find_package(OpenMP QUIET)
        if(NOT TARGET OpenMP::OpenMP_C)
            add_library(OpenMP::OpenMP_C INTERFACE IMPORTED)
        endif()
        foreach(_poinsot_part arkode cvodes nvecserial sunmatrixdense sunlinsoldense)
            poinsot_find_one(STIFF SUNDIALS SUNDIALS::${_poinsot_part})
        endforeach()
    elseif(${component} STREQUAL io)
        poinsot_find_one(IO yaml-cpp yaml-cpp)
        poinsot_find_one(IO HDF5 HDF5::HDF5 COMPONENTS C)
        poinsot_find_one(IO assimp assimp::assimp)
        poinsot_find_one(IO pugixml pugixml::pugixml)
        poinsot_find_one(IO fmt fmt::fmt)
        poinsot_find_one(IO nlohmann_json nlohmann_json::nlohmann_json)
    endif()
    list(REMOVE_DUPLICATES POINSOT_${_poinsot_name}_MISSING)
endmacro()
