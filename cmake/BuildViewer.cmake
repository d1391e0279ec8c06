# SPDX-License-Identifier: MIT
# Builds the page of reports: cmake -DSOURCE=viewer -DBUILD=folder -DNODE=node -DNPM=npm [-DMUST=ON] -P this
# Works on a copy, since npm and the bundler write beside what they read. Where npm cannot install what the
# viewer needs, BUILD/dist/page.html is empty, and old, so that the next build tries again.

set(page ${BUILD}/dist/page.html)
foreach(part src build.mjs package.json package-lock.json page.html tsconfig.json)
    file(COPY ${SOURCE}/${part} DESTINATION ${BUILD})
endforeach()

function(run what)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${BUILD} RESULT_VARIABLE failed
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT failed)
        return()
    endif()
    if(MUST)
        message(FATAL_ERROR "The viewer cannot be built: ${what} failed:\n${said}")
    endif()
    string(REGEX MATCH "(error|ERR!)[^\n]*" why "${said}")
    message("Poinsot: built without the viewer: ${what} failed; is there a network? (${why})")
    file(WRITE ${page} "")
    execute_process(COMMAND touch -d 1980-01-01 ${page})
    set(stop TRUE PARENT_SCOPE)
endfunction()

# What is installed stays as long as the list of it.
file(SHA256 ${BUILD}/package-lock.json wanted)
set(installed)
if(EXISTS ${BUILD}/node_modules/.poinsot)
    file(READ ${BUILD}/node_modules/.poinsot installed)
endif()
if(NOT installed STREQUAL wanted)
    run("npm ci" ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
        --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000)
    if(stop)
        return()
    endif()
    file(WRITE ${BUILD}/node_modules/.poinsot ${wanted})
endif()
run("node build.mjs" ${NODE} build.mjs)
