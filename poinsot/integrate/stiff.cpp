// SPDX-License-Identifier: MIT
#include "poinsot/integrate/stiff.hpp"

#if POINSOT_WITH_STIFF
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#endif

#include <memory>

namespace poinsot {

#if POINSOT_WITH_STIFF

namespace {

// ---- bodies as a plain vector of numbers --------------------------------------------------------

double* write(double* to, const Vec3<double>& a)
{
    *to++ = a.x;
    *to++ = a.y;
    *to++ = a.z;
    return to;
}
double* write(double* to, const Quat<double>& q)
{
    *to++ = q.w;
    return write(to, Vec3<double>{q.x, q.y, q.z});
}
double* write(double* to, const Mat3<double>& m)
{
    return write(write(write(to, m.r0), m.r1), m.r2);
}
const double* read(const double* from, Vec3<double>& a)
{
    a = {from[0], from[1], from[2]};
    return from + 3;
}
const double* read(const double* from, Quat<double>& q)
{
    q = {from[0], from[1], from[2], from[3]};
    return from + 4;
}
const double* read(const double* from, Mat3<double>& m)
{
    return read(read(read(from, m.r0), m.r1), m.r2);
}
template <class Form>
constexpr std::size_t numbers = 9 + sizeof(Form{}.attitude) / sizeof(double);

template <class Form>
void write_bodies(double* to, std::vector<Form>& bodies)
{
    for (Form& y : bodies)
        to = write(write(write(write(to, y.x), y.attitude), first(y)), second(y));
}
template <class Form>
void read_bodies(const double* from, std::vector<Form>& bodies)
{
    for (Form& y : bodies)
        from = read(read(read(read(from, y.x), y.attitude), first(y)), second(y));
}

Quat<double> attitude_rate(const Quat<double>& q, const Vec3<double>& omega)
{
    return Quat<double>{0, 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z} * q;
}
Mat3<double> attitude_rate(const Mat3<double>& R, const Vec3<double>& omega)
{
    return skew(omega) * R;
}

// ---- what CVODES calls --------------------------------------------------------------------------

constexpr std::size_t terms_of_account = 11;

template <class Form>
struct StiffMotion {
    System& system;
    std::vector<Form> raw, unit; // as the solver has them; with attitudes that are rotations
    bool per_body;
    bool interrupted = false;

    void evaluate(double t, N_Vector y)
    {
        read_bodies(N_VGetArrayPointer(y), raw);
        unit = raw;
        for (Form& body : unit)
            body.attitude = renormalised(body.attitude);
        system.evaluate(std::span<const Form>(unit), t);
    }

    static int rates(double t, N_Vector y, N_Vector y_dot, void* user)
    {
        auto& p = *static_cast<StiffMotion*>(user);
        if (p.system.stopped()) {
            p.interrupted = true;
            return -1; // CVODES gives up
        }
        p.evaluate(t, y);
        double* to = N_VGetArrayPointer(y_dot);
        for (std::size_t i = 0; i < p.raw.size(); ++i) {
            const auto rate = rate_of<Form>(p.system.placed.bodies[i], p.system.loads.total[i]);
            to = write(write(to, rate.x_dot), attitude_rate(p.raw[i].attitude, rate.omega));
            to = write(write(to, rate.a), rate.b);
        }
        return 0;
    }
    /// The postings as quadratures: impulse, angular impulse, lever part, work and mass; per cause
    /// (and body). What mass that comes and goes does to the store of gravity is the last one.
    static int postings(double t, N_Vector y, N_Vector sums, void* user)
    {
        auto& p = *static_cast<StiffMotion*>(user);
        p.evaluate(t, y);
        N_VConst(0.0, sums);
        double* all = N_VGetArrayPointer(sums);
        const auto account = [&](int body, Cause cause) {
            const auto first = p.per_body ? static_cast<std::size_t>(body) * cause_count : 0;
            return all + terms_of_account * (first + index_of(cause));
        };
        const Loads& loads = p.system.loads;
        for (const std::vector<LoadPart>* parts : {&loads.parts, &loads.carried})
            for (const LoadPart& part : *parts) {
                const auto i = static_cast<std::size_t>(part.body);
                const PlacedBody& at = p.system.placed.bodies[i];
                double* to = account(part.body, part.cause);
                const Vec3<double> K = cross(at.x, part.wrench.F);
                const Vec3<double>&F = part.wrench.F, &tau = part.wrench.tau;
                const std::array<double, 10> terms{
                    F.x,   F.y, F.z, tau.x, tau.y,
                    tau.z, K.x, K.y, K.z,   power(part.wrench, at.twist())};
                for (std::size_t k = 0; k < terms.size(); ++k)
                    to[k] += terms[k];
            }
        for (const DrivePart& drive : loads.drives) {
            account(drive.body, Cause::motor)[9] += drive.power;
            account(drive.body, Cause::rotor)[9] -= drive.power;
        }
        for (const MassChange& change : loads.changes) {
            double* to = account(change.body, Cause::thrust);
            to[6] += change.K.x;
            to[7] += change.K.y;
            to[8] += change.K.z;
            to[9] += change.power;
            to[10] += change.mass;
            all[NV_LENGTH_S(sums) - 1] += change.gravity;
        }
        return 0;
    }
};

/// Owners of SUNDIALS's objects.
template <class T, auto Free>
struct Freed {
    void operator()(T* object) const { Free(object); }
};
void free_cvode(void* memory)
{
    CVodeFree(&memory);
}
void free_context(SUNContext context)
{
    SUNContext_Free(&context);
}
template <class Handle, auto Free>
using Owned =
    std::unique_ptr<std::remove_pointer_t<Handle>, Freed<std::remove_pointer_t<Handle>, Free>>;

void be_silent(int, const char*, const char*, char*, void*) {} // failures are told by their code

} // namespace

bool stiff_available()
{
    return true;
}

template <class Form>
StepReport stiff_step(System& system, std::vector<Form>& bodies, double t, double h, bool stiff,
                      const Tolerance& tolerance, Postings& postings)
{
    StepReport report{0, "SUNDIALS could not be set up"};
    SUNContext made = nullptr;
    if (SUNContext_Create(nullptr, &made) != 0)
        return report;
    const Owned<SUNContext, free_context> context(made);

    const auto n = static_cast<sunindextype>(bodies.size() * numbers<Form>);
    const bool per_body = postings.detail() == Postings::Detail::bodies;
    const std::size_t accounts = cause_count * (per_body ? bodies.size() : 1);
    const Owned<N_Vector, N_VDestroy> y(N_VNew_Serial(n, made)),
        sums(N_VNew_Serial(static_cast<sunindextype>(terms_of_account * accounts + 1), made));
    write_bodies(N_VGetArrayPointer(y.get()), bodies);
    N_VConst(0.0, sums.get());

    StiffMotion<Form> problem{system, bodies, bodies, per_body};
    const std::unique_ptr<void, Freed<void, free_cvode>> cvode(
        CVodeCreate(stiff ? CV_BDF : CV_ADAMS, made));
    const Owned<SUNMatrix, SUNMatDestroy> matrix(stiff ? SUNDenseMatrix(n, n, made) : nullptr);
    const Owned<SUNLinearSolver, SUNLinSolFree> linear(
        stiff ? SUNLinSol_Dense(y.get(), matrix.get(), made) : nullptr);
    const Owned<SUNNonlinearSolver, SUNNonlinSolFree> fixed_point(
        stiff ? nullptr : SUNNonlinSol_FixedPoint(y.get(), 0, made));

    int flag = CVodeInit(cvode.get(), StiffMotion<Form>::rates, t, y.get());
    flag |= CVodeSetErrHandlerFn(cvode.get(), be_silent, nullptr);
    flag |= CVodeSStolerances(cvode.get(), tolerance.relative, tolerance.absolute);
    flag |= CVodeSetUserData(cvode.get(), &problem);
    flag |= CVodeSetMaxNumSteps(cvode.get(), tolerance.most_substeps);
    flag |= CVodeSetStopTime(cvode.get(), t + h); // no evaluation beyond a load that ends there
    if (stiff)
        flag |= CVodeSetLinearSolver(cvode.get(), linear.get(), matrix.get());
    else
        flag |= CVodeSetNonlinearSolver(cvode.get(), fixed_point.get());
    if (!postings.off())
        flag |= CVodeQuadInit(cvode.get(), StiffMotion<Form>::postings, sums.get());
    if (flag != 0)
        return report;

    double reached = t;
    if (CVode(cvode.get(), t + h, y.get(), &reached, CV_NORMAL) < 0) {
        if (problem.interrupted)
            return interrupted_after(0);
        report.failure = "SUNDIALS could not meet the tolerance in this step";
        return report;
    }
    long evaluations = 0;
    CVodeGetNumRhsEvals(cvode.get(), &evaluations);
    read_bodies(N_VGetArrayPointer(y.get()), bodies);
    for (Form& body : bodies)
        body.attitude = renormalised(body.attitude);
    if (!postings.off()) {
        CVodeGetQuad(cvode.get(), &reached, sums.get());
        const double* from = N_VGetArrayPointer(sums.get());
        for (std::size_t account = 0; account < accounts; ++account) {
            Posting posting;
            from = read(read(read(from, posting.J), posting.S), posting.K);
            posting.work = *from++;
            posting.mass = *from++;
            postings.post(static_cast<int>(account / cause_count),
                          static_cast<Cause>(account % cause_count), posting);
        }
        Stores shift;
        shift.gravity = *from;
        postings.shift_stores(shift);
    }
    return {static_cast<int>(evaluations), nullptr};
}

#else

bool stiff_available()
{
    return false;
}
template <class Form>
StepReport stiff_step(System&, std::vector<Form>&, double, double, bool, const Tolerance&,
                      Postings&)
{
    return {0, "built without SUNDIALS"};
}

#endif

#define POINSOT_INSTANTIATE(Form)                                                                  \
    template StepReport stiff_step(System&, std::vector<Form>&, double, double, bool,              \
                                   const Tolerance&, Postings&);
POINSOT_INSTANTIATE(MomentumForm<double>)
POINSOT_INSTANTIATE(VelocityForm<double>)
POINSOT_INSTANTIATE(MatrixForm<double>)
#undef POINSOT_INSTANTIATE

} // namespace poinsot
