// SPDX-License-Identifier: MIT
#include "poinsot/io/guarded.hpp"

#include "poinsot/base/result.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>

namespace poinsot {

namespace {

constexpr int out_of_memory = 3, gave_up = 4; // how a child ends that does not come to its end

// ---- the child ----------------------------------------------------------------------------------

void lower(decltype(RLIMIT_AS) what, rlim_t wanted)
{
    struct rlimit limit = {};
    if (::getrlimit(what, &limit) == 0 && wanted < limit.rlim_cur) {
        limit.rlim_cur = wanted;
        ::setrlimit(what, &limit);
    }
}

void take_limits(const Allowance& allowed)
{
    // Handlers of the parent (and of sanitizers) would report a crash as theirs.
    for (int signal = 1; signal < NSIG; ++signal)
        std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);

    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_CPU, static_cast<rlim_t>(allowed.seconds));
    lower(RLIMIT_STACK, rlim_t(64) << 20); // matters where it was unlimited
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    if (memory_is_limited && pages > 0)
        lower(RLIMIT_AS,
              pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + allowed.memory);
    std::set_new_handler([] { ::_exit(out_of_memory); });
}

bool send(int pipe, const void* bytes, std::size_t size)
{
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t sent = ::write(pipe, from, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        from += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

[[noreturn]] void be_the_child(int pipe, const std::function<std::string()>& work,
                               const Allowance& allowed)
{
    try {
        const int nowhere = ::open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::dup2(nowhere, stream);
        take_limits(allowed);
        const std::string bytes = work();
        const std::uint64_t size = bytes.size();
        ::_exit(send(pipe, &size, sizeof size) && send(pipe, bytes.data(), size) ? 0 : gave_up);
    } catch (...) {
        ::_exit(gave_up);
    }
}

// ---- the parent ---------------------------------------------------------------------------------

std::string name_of_signal(int signal)
{
    switch (signal) {
    case SIGSEGV:
        return "SEGV";
    case SIGABRT:
        return "ABRT";
    case SIGBUS:
        return "BUS";
    case SIGFPE:
        return "FPE";
    case SIGILL:
        return "ILL";
    case SIGKILL:
        return "KILL";
    case SIGTERM:
        return "TERM";
    case SIGINT:
        return "INT";
    default:
        return text_of(signal);
    }
}

std::string fate(int status, bool late, const Allowance& allowed)
{
    if (late)
        return text_of("took longer than ", 3 * allowed.seconds, " s");
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return text_of("took longer than ", allowed.seconds, " s");
    if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory)
        return text_of("asked for more memory than ", allowed.memory >> 20, " MiB");
    if (WIFSIGNALED(status))
        return "crashed on this file (signal " + name_of_signal(WTERMSIG(status)) + ")";
    return text_of("crashed on this file (exit status ", WEXITSTATUS(status), ")");
}

// What came through the pipe: the number of bytes, then the bytes.
struct Message {
    std::uint64_t size = 0;
    std::size_t headed = 0; // bytes of the size that are here
    std::string bytes;

    bool whole() const { return headed == sizeof size && bytes.size() == size; }
    void take(const char* from, std::size_t n)
    {
        const std::size_t head = std::min(n, sizeof size - headed);
        std::memcpy(reinterpret_cast<char*>(&size) + headed, from, head);
        headed += head;
        bytes.append(from + head, n - head);
    }
};

// A pipe whose ends are no standard streams, even in a process that has closed its own.
bool open_pipe(int (&ends)[2])
{
    int raw[2];
    if (::pipe2(raw, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; ++i)
        ends[i] = ::fcntl(raw[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    ::close(raw[0]);
    ::close(raw[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (const int end : ends)
        if (end >= 0)
            ::close(end);
    errno = error;
    return false;
}

} // namespace

FromChild in_a_child(const std::function<std::string()>& work, const Allowance& allowed)
{
    int ends[2];
    if (!open_pipe(ends))
        return {{}, text_of("could not be started: ", std::strerror(errno))};
    const pid_t child = ::fork();
    if (child < 0) {
        const int error = errno;
        ::close(ends[0]);
        ::close(ends[1]);
        return {{}, text_of("could not be started: ", std::strerror(error))};
    }
    if (child == 0)
        be_the_child(ends[1], work, allowed);
    ::close(ends[1]);

    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(3 * allowed.seconds);
    Message message;
    std::string buffer(std::size_t(1) << 16, '\0');
    int status = 0;
    bool late = false, gone = false, closed = false;
    // The end of the pipe is not enough to know that the child is gone: one that another thread
    // started at the same time holds it open too. So it is asked after, twenty times a second.
    while (!message.whole() && !late && !closed) {
        late = Clock::now() > deadline;
        struct pollfd readable = {ends[0], POLLIN, 0};
        const int ready = ::poll(&readable, 1, 50);
        if (ready > 0) {
            const ssize_t n = ::read(ends[0], buffer.data(), buffer.size());
            if (n > 0)
                message.take(buffer.data(), static_cast<std::size_t>(n));
            closed = n == 0 || (n < 0 && errno != EINTR);
        } else if (ready == 0) {
            closed = gone;
            gone = gone || ::waitpid(child, &status, WNOHANG) != 0;
        }
    }
    ::close(ends[0]);
    if (!gone) {
        if (!closed)
            ::kill(child, SIGKILL);
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    if (message.whole())
        return {std::move(message.bytes), {}};
    return {{}, fate(status, late, allowed)};
}

} // namespace poinsot
