#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: anew.sh COMPILER-LAUNCHER COMPILER ARGUMENT...
#
# Removes what the command is to make, then runs it. ccache looks at what a file includes by the
# compiler's own preprocessor, which takes a precompiled header that is there for what it was made of:
# of one that is old ccache would take out what somebody else has made in its place.
out=
for word; do
    [ "$out" = -o ] && rm -f -- "$word"
    out=$word
done
exec "$@"
