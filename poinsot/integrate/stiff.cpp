// SPDX-License-Identifier: MIT
#include "poinsot/integrate/stiff.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/joint_system.hpp"

#if POINSOT_WITH_STIFF
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#endif

#include <algorithm>
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

// ---- the two kinds of motion --------------------------------------------------------------------

/// Bodies with six freedoms each.
template <class Form>
struct BodyMotion {
    System& world;
    std::vector<Form> raw, unit; // as the solver has them; with attitudes that are rotations

    BodyMotion(System& system, const std::vector<Form>& bodies)
        : world(system), raw(bodies), unit(bodies)
    {
    }
    std::size_t size() const { return raw.size() * numbers<Form>; }
    void put(double* to) { write_bodies(to, raw); }
    void take(const double* from) { read_bodies(from, raw); }
    void evaluate(double t, const double* y, bool)
    {
        take(y);
        unit = raw;
        for (Form& body : unit)
            body.attitude = renormalised(body.attitude);
        world.evaluate(std::span<const Form>(unit), t);
    }
    void decide_rows(double t, const double* y)
    {
        take(y);
        unit = raw;
        for (Form& body : unit)
            body.attitude = renormalised(body.attitude);
        world.decide_rows(std::span<const Form>(unit), t);
    }
    void rates(double* to) const
    {
        for (std::size_t i = 0; i < raw.size(); ++i) {
            const auto rate = rate_of<Form>(world.placed.bodies[i], world.loads.total[i]);
            to = write(write(to, rate.x_dot), attitude_rate(raw[i].attitude, rate.omega));
            to = write(write(to, rate.a), rate.b);
        }
    }
};

/// A linkage in its coordinates (q, v):
///
///     one freedom, translate   q̇ = v
///     ball                     q̇ = q ω / 2
///     free                     ẋ = R v, q̇ = q ω / 2
///
/// Quaternions are four numbers without a bound on how far they turn within the step, which a chart
/// would have.
struct LinkageMotion {
    System& world;
    JointSystem& system;
    JointMotion raw, unit;
    std::vector<double> v_dot;

    LinkageMotion(JointSystem& joints, const JointMotion& y)
        : world(joints.world), system(joints), raw(y), unit(y), v_dot(y.v.size())
    {
    }
    std::size_t size() const { return raw.q.size() + raw.v.size(); }
    void put(double* to) const
    {
        std::copy(raw.v.begin(), raw.v.end(), std::copy(raw.q.begin(), raw.q.end(), to));
    }
    void take(const double* from)
    {
        std::copy_n(from, raw.q.size(), raw.q.begin());
        std::copy_n(from + raw.q.size(), raw.v.size(), raw.v.begin());
    }
    void evaluate(double t, const double* y, bool booked)
    {
        take(y);
        unit = raw;
        renormalise(system.linkage, unit.q);
        system.evaluate(unit.q, unit.v, t, v_dot, booked);
    }
    void decide_rows(double t, const double* y)
    {
        take(y);
        unit = raw;
        renormalise(system.linkage, unit.q);
        system.decide_rows(unit.q, unit.v, t);
    }
    void rates(double* to) const
    {
        const auto turn = [](const double* q, const double* omega) {
            const Vec3<double> half = 0.5 * vector_at(omega);
            return quat_at(q) * Quat<double>{0, half.x, half.y, half.z};
        };
        for (const Link& link : system.linkage.links) {
            const double *q = raw.q.data() + link.q, *v = raw.v.data() + link.v;
            double* const out = to + link.q;
            switch (link.op) {
            case LinkOp::ball:
                put_at(out, turn(q, v));
                break;
            case LinkOp::free:
                put_at(out, rotate(quat_at(unit.q.data() + link.q + 3), vector_at(v)));
                put_at(out + 3, turn(q + 3, v + 3));
                break;
            default:
                std::copy_n(v, freedoms_of(link.op), out);
            }
        }
        std::copy(v_dot.begin(), v_dot.end(), to + raw.q.size());
    }
};

// ---- what CVODES calls --------------------------------------------------------------------------

constexpr std::size_t terms_of_account = 11;

template <class Motion>
struct StiffProblem {
    Motion motion;
    bool per_body;
    bool interrupted = false;

    static int rates(double t, N_Vector y, N_Vector y_dot, void* user)
    {
        auto& p = *static_cast<StiffProblem*>(user);
        if (p.motion.world.stopped()) {
            p.interrupted = true;
            return -1; // CVODES gives up
        }
        p.motion.evaluate(t, N_VGetArrayPointer(y), false);
        p.motion.rates(N_VGetArrayPointer(y_dot));
        return 0;
    }
    /// The postings as quadratures: impulse, angular impulse, lever part, work and mass; per cause
    /// (and body). What mass that comes and goes does to the store of gravity is the last one.
    static int postings(double t, N_Vector y, N_Vector sums, void* user)
    {
        auto& p = *static_cast<StiffProblem*>(user);
        p.motion.evaluate(t, N_VGetArrayPointer(y), true);
        N_VConst(0.0, sums);
        double* all = N_VGetArrayPointer(sums);
        const auto account = [&](int body, Cause cause) {
            const auto first = p.per_body ? static_cast<std::size_t>(body) * cause_count : 0;
            return all + terms_of_account * (first + index_of(cause));
        };
        const Loads& loads = p.motion.world.loads;
        for (const std::vector<LoadPart>* parts : {&loads.parts, &loads.carried})
            for (const LoadPart& part : *parts) {
                const auto i = static_cast<std::size_t>(part.body);
                const PlacedBody& at = p.motion.world.placed.bodies[i];
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

/// Takes a motion from t over h, which then has it where it came to.
template <class Motion>
StepReport integrate(StiffProblem<Motion>& problem, double t, double h, bool stiff,
                     const Tolerance& tolerance, Postings& postings)
{
    Motion& motion = problem.motion;
    StepReport report{0, "SUNDIALS could not be set up"};
    SUNContext made = nullptr;
    if (SUNContext_Create(nullptr, &made) != 0)
        return report;
    const Owned<SUNContext, free_context> context(made);

    const auto n = static_cast<sunindextype>(motion.size());
    const std::size_t accounts =
        cause_count * (problem.per_body ? motion.world.model.bodies().size() : 1);
    const Owned<N_Vector, N_VDestroy> y(N_VNew_Serial(n, made)),
        sums(N_VNew_Serial(static_cast<sunindextype>(terms_of_account * accounts + 1), made));
    motion.put(N_VGetArrayPointer(y.get()));
    N_VConst(0.0, sums.get());

    const std::unique_ptr<void, Freed<void, free_cvode>> cvode(
        CVodeCreate(stiff ? CV_BDF : CV_ADAMS, made));
    const Owned<SUNMatrix, SUNMatDestroy> matrix(stiff ? SUNDenseMatrix(n, n, made) : nullptr);
    const Owned<SUNLinearSolver, SUNLinSolFree> linear(
        stiff ? SUNLinSol_Dense(y.get(), matrix.get(), made) : nullptr);
    const Owned<SUNNonlinearSolver, SUNNonlinSolFree> fixed_point(
        stiff ? nullptr : SUNNonlinSol_FixedPoint(y.get(), 0, made));

    int flag = CVodeInit(cvode.get(), StiffProblem<Motion>::rates, t, y.get());
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
        flag |= CVodeQuadInit(cvode.get(), StiffProblem<Motion>::postings, sums.get());
    if (flag != 0)
        return report;

    double reached = t;
    const auto advance = [&] {
        if (motion.world.repeat_tolerance == 0)
            return CVode(cvode.get(), t + h, y.get(), &reached, CV_NORMAL);
        int made = CV_SUCCESS; // which rows repeat others is decided after every step of its own
        for (long steps = 0; made == CV_SUCCESS && reached < t + h; ++steps) {
            if (steps == tolerance.most_substeps)
                return CV_TOO_MUCH_WORK;
            made = CVode(cvode.get(), t + h, y.get(), &reached, CV_ONE_STEP);
            if (made == CV_SUCCESS)
                motion.decide_rows(reached, N_VGetArrayPointer(y.get()));
        }
        return made;
    };
    if (advance() < 0) {
        if (problem.interrupted)
            return interrupted_after(0);
        report.failure = "SUNDIALS could not meet the tolerance in this step";
        return report;
    }
    long evaluations = 0;
    CVodeGetNumRhsEvals(cvode.get(), &evaluations);
    motion.take(N_VGetArrayPointer(y.get()));
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

bool books_bodies(const Postings& postings)
{
    return postings.detail() == Postings::Detail::bodies;
}

} // namespace

bool stiff_available()
{
    return true;
}

template <class Form>
StepReport stiff_step(System& system, std::vector<Form>& bodies, double t, double h, bool stiff,
                      const Tolerance& tolerance, Postings& postings)
{
    StiffProblem<BodyMotion<Form>> problem{{system, bodies}, books_bodies(postings)};
    const StepReport report = integrate(problem, t, h, stiff, tolerance, postings);
    if (report.failure)
        return report;
    bodies = problem.motion.raw;
    for (Form& body : bodies)
        body.attitude = renormalised(body.attitude);
    return report;
}

StepReport stiff_step(JointSystem& system, JointMotion& y, double t, double h, bool stiff,
                      const Tolerance& tolerance, Postings& postings)
{
    StiffProblem<LinkageMotion> problem{{system, y}, books_bodies(postings)};
    const StepReport report = integrate(problem, t, h, stiff, tolerance, postings);
    if (report.failure)
        return report;
    y = problem.motion.raw;
    renormalise(system.linkage, y.q);
    return report;
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
StepReport stiff_step(JointSystem&, JointMotion&, double, double, bool, const Tolerance&, Postings&)
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
