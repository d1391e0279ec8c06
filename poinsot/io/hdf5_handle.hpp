// SPDX-License-Identifier: MIT
#pragma once

// Handles of HDF5 that close themselves, and its refusals as exceptions. For .cpp files of io only.

#include <hdf5.h>

#include <string>

namespace poinsot {

/// An HDF5 handle that closes itself.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
    Handle& operator=(Handle&&) = delete;
    ~Handle()
    {
        if (id_ >= 0)
            close_(id_);
    }
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// The innermost reason that HDF5 has on its stack of errors; any call of it that succeeds clears
/// that.
inline std::string hdf5_reason()
{
    std::string reason;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
            auto& text = *static_cast<std::string*>(into);
            if (text.empty() && error->desc)
                text = error->desc;
            return 0;
        },
        &reason);
    return reason.empty() ? "HDF5 gives no reason" : "HDF5 says: " + reason;
}

/// Thrown where HDF5 says no. A writer looks for the reason in its WriteFault.
struct Failed {
    std::string why = hdf5_reason();
};

inline Handle need(hid_t id, herr_t (*close)(hid_t))
{
    if (id < 0)
        throw Failed{};
    return {id, close};
}
inline void need(herr_t result)
{
    if (result < 0)
        throw Failed{};
}

} // namespace poinsot
