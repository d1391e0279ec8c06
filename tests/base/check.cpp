// SPDX-License-Identifier: MIT
#include "poinsot/base/check.hpp"
#include "near.hpp"
#include "poinsot/base/result.hpp"

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using namespace poinsot;

namespace {

struct Ending {
    int signal;       // that ended the child; 0 if it came to its end
    std::string said; // on stderr
};

/// Runs a function in a child process and reports how that ended.
template <class Function>
Ending ends(Function f)
{
    int ways[2];
    REQUIRE(pipe(ways) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL); // not the test runner's own handler
        dup2(ways[1], STDERR_FILENO);
        close(ways[0]);
        close(ways[1]);
        f();
        _exit(0);
    }
    close(ways[1]);
    Ending end{};
    char text[256];
    for (ssize_t n; (n = read(ways[0], text, sizeof text)) > 0;)
        end.said.append(text, static_cast<std::size_t>(n));
    close(ways[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return end;
}

} // namespace

TEST_CASE("Check: a promise that holds costs nothing but the look")
{
    const Ending end = ends([] { check(true, "one is one"); });
    CHECK(end.signal == 0);
    CHECK(end.said.empty());
}

TEST_CASE("Check: a broken promise stops the program and names file, line and promise")
{
    constexpr int line = __LINE__ + 1;
    const Ending end = ends([] { check(false, "the step is positive"); });
    CHECK(end.signal == SIGABRT);
    const std::string place = text_of(__FILE__, ":", line);
    CHECK(end.said == place + ": broken promise: the step is positive\n");
}

TEST_CASE("Check: the value of a Result with problems, and problems of one with a value, are "
          "broken promises")
{
    const Ending no_value = ends([] {
        Problems found;
        found.add("mass", "missing");
        const Result<int> broken(found);
        _exit(*broken);
    });
    CHECK(no_value.signal == SIGABRT);
    CHECK(no_value.said.find("the value of a Result that has problems") != std::string::npos);

    const Ending no_problems = ends([] { _exit(Result<int>(1).problems().any()); });
    CHECK(no_problems.signal == SIGABRT);

    const Ending no_reason = ends([] { Result<int> silent{Problems()}; });
    CHECK(no_reason.signal == SIGABRT);
    CHECK(no_reason.said.find("must say why") != std::string::npos);
}
