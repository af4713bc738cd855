// The plugin interface of Touchline for C++17: derive a class, export it by one line.
//
//     struct Params { double sigma_rad = 0.02; };
//
//     class Compass : public touchline::Sensor<Params> {
//     public:
//         static constexpr const char *name = "compass", *version = "0.1.0", *summary = "...", *type = "compass";
//         static touchline::ParamTable<Params> params() {
//             return {{"sigma_rad", &Params::sigma_rad, 0.0, 3.2, "The standard deviation of the heading, radians."}};
//         }
//         Compass(const Params &params, const touchline::Setup &setup, touchline::Problems &problems);
//         touchline::Layout layout() const override;
//         void generate(const touchline::Stateless &, const tl_generate &input, uint32_t *quantised) const override;
//     };
//     TOUCHLINE_EXPORT_SENSOR(Compass)
//
// The rules of plugin.h hold: an instance never changes after it is made and may be called from several threads at once;
// the same input gives the same output; what has to be remembered is the state, a struct of plain numbers that the server
// keeps. Defaults of parameters are those of the struct; a member without a table entry is not settable.
// Gaps between the numbers of a state, as after a bool before a double, become zeros where the compiler has
// __builtin_clear_padding, as GCC from 11 on. For others leave none: the longest numbers first, and fill up with members of your own.
//
// Throw touchline::Fault when the plugin cannot go on; its what() is the message. Any other exception is caught at the border
// as well, and is said as "threw: " and its what(). What is stopped then, plugin.h says; the world goes on.
#ifndef TOUCHLINE_PLUGIN_HPP
#define TOUCHLINE_PLUGIN_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <touchline/helpers.h>
#include <touchline/orders.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace touchline {

// The plugin cannot go on.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Nothing is remembered.
struct Stateless {};

// ---- Parameters and setup ----------------------------------------------------------------------------------------------

// One parameter: its name (with the unit), the member that it sets, its range if it is a number, and what it means. A member
// is a double, std::int64_t, bool or std::string (at most 63 bytes).
template <class P> class Param {
public:
    Param(const char *name, double P::*member, double min, double max, const char *meaning)
        : Param({name, meaning, TL_TYPE_NUMBER, min, max, 0.0, nullptr, 0}, member) {}
    Param(const char *name, std::int64_t P::*member, double min, double max, const char *meaning)
        : Param({name, meaning, TL_TYPE_INTEGER, min, max, 0.0, nullptr, 0}, member) {}
    Param(const char *name, bool P::*member, const char *meaning)
        : Param({name, meaning, TL_TYPE_BOOL, 0.0, 1.0, 0.0, nullptr, 0}, member) {}
    Param(const char *name, std::string P::*member, const char *meaning)
        : Param({name, meaning, TL_TYPE_TEXT, 0.0, 0.0, 0.0, "", 0}, member) {}

    // The number has to be set in the file: `Param(...).required()` has no default.
    Param required() const {
        Param copy = *this;
        copy.required_ = true;
        return copy;
    }

    // The row of the C table, with the default of a freshly made struct, which must outlive it.
    tl_param row(P &defaults) const {
        tl_param row = row_;
        void *const place = place_(defaults);
        if (row.type == TL_TYPE_NUMBER)
            row.fallback = *static_cast<double *>(place);
        else if (row.type == TL_TYPE_INTEGER)
            row.fallback = static_cast<double>(*static_cast<std::int64_t *>(place));
        else if (row.type == TL_TYPE_BOOL)
            row.fallback = *static_cast<bool *>(place) ? 1.0 : 0.0;
        else
            row.text = static_cast<std::string *>(place)->c_str();
        if (required_)
            row.fallback = TL_REQUIRED;
        return row;
    }

    void read(tl_json all, P &params, tl_problems &problems) const {
        P defaults{};
        const tl_param row = this->row(defaults);
        char text[TL_TEXT_CAP] = "";
        const bool is_text = row.type == TL_TYPE_TEXT;
        tl_read_param(all, &row, is_text ? text : place_(params), &problems);
        if (is_text)
            *static_cast<std::string *>(place_(params)) = text;
    }

private:
    template <class M> Param(tl_param row, M P::*member) : row_(row) {
        place_ = [member](P &params) -> void * { return &(params.*member); };
    }

    tl_param row_;
    std::function<void *(P &)> place_;
    bool required_ = false;
};

template <class P> using ParamTable = std::vector<Param<P>>;

// All that is wrong with the parameters: `problems.require(a < b, "a", "must be below b")`.
class Problems {
public:
    explicit Problems(tl_problems &problems) : problems_(problems) {}
    void require(bool valid, const char *name, const std::string &message) {
        if (!valid)
            tl_problem(&problems_, name, "%s", message.c_str());
    }
    // Something that concerns no single parameter.
    void add(const std::string &message) { tl_problem(&problems_, nullptr, "%s", message.c_str()); }

private:
    tl_problems &problems_;
};

// What an instance is told when it is made; the members of each kind are listed at tl_create. Valid in the constructor only.
class Setup {
public:
    explicit Setup(tl_text_slice text) : text_(text) {}
    tl_text_slice text() const { return text_; }
    tl_json json() const { return tl_json_of(text_); }
    // A number such as `dt_secs`; 0 if there is none.
    double number(const char *name) const {
        double value = 0.0;
        tl_json_number(tl_json_member(json(), name), &value);
        return value;
    }
    // How many teams the world has.
    std::size_t teams() const { return tl_json_len(tl_json_member(json(), "teams")); }
    // The fixture of this name: index into the view's shapes; TL_NONE if there is none.
    std::uint32_t fixture(const char *name) const { return tl_fixture_named(text_, name); }
    // The names of all fixtures, in the order of their shapes in the view.
    std::vector<std::string> fixtures() const {
        std::vector<std::string> names;
        tl_json_items items = tl_json_items_of(tl_fixture_names(text_));
        tl_json key, value;
        char name[TL_TEXT_CAP + 1];
        while (tl_json_next(&items, &key, &value))
            names.emplace_back(tl_json_text(value, name, sizeof name) ? name : "");
        return names;
    }
    // For players: a field of the robot's sensors; model and type may be null.
    bool find(const char *feature, const char *field, tl_field_handle &handle, const char *model = nullptr,
              const char *type = nullptr) const {
        return tl_find_field(text_, model, type, feature, field, &handle);
    }
    // For players: a manipulator and one of its states.
    bool find_manipulator(const char *name, const char *state, std::uint32_t &manipulator, std::uint32_t &index) const {
        return tl_find_manipulator(text_, name, state, &manipulator, &index);
    }

private:
    tl_text_slice text_;
};

// ---- Values ------------------------------------------------------------------------------------------------------------

// One open stream of random numbers: `touchline::Noise noise(input.noise);`
class Noise {
public:
    explicit Noise(tl_noise_key key) : noise_(tl_noise_stream(key)) {}
    double gaussian(double sigma) { return tl_gaussian(&noise_, sigma); }
    double uniform(double low, double high) { return tl_uniform(&noise_, low, high); }
    bool chance(double probability) { return tl_chance(&noise_, probability); }

private:
    tl_noise noise_;
};

// The directions of a fan of beams, counter-clockwise; make it in the constructor.
class Fan {
public:
    Fan() = default;
    // Centred on the sensor's x axis, from right to left: beam 0 points to -field_of_view_rad / 2. So in a whole turn beam 0
    // looks back. Throws unless there is a beam and the beams span more than nothing and at most one turn; for parameters of
    // a file say so by `problems.require` before.
    Fan(double field_of_view_rad, std::size_t beams) {
        if (!tl_fan_centred(&fan_, field_of_view_rad, beams))
            throw Fault("a fan needs a beam, an angle above 0 and at most one turn");
    }
    // Beam i points to angle_min_rad + i * angle_step_rad: `Fan(0.0, 6.283185307179586 / 8, 8)` begins ahead.
    Fan(double angle_min_rad, double angle_step_rad, std::size_t beams) {
        if (!tl_fan_init(&fan_, angle_min_rad, angle_step_rad, beams))
            throw Fault("a fan needs a beam, a step above 0 and at most one turn");
    }
    Fan(Fan &&other) noexcept : fan_(std::exchange(other.fan_, tl_fan{})) {}
    Fan &operator=(Fan &&other) noexcept {
        std::swap(fan_, other.fan_);
        return *this;
    }
    ~Fan() { tl_fan_free(&fan_); }

    std::size_t size() const { return fan_.beams; }
    // As tl_cast_fan; `ranges_m` has one place for each beam.
    void cast(const tl_view &view, tl_pose sensor, double range_max_m, double z_m, std::uint32_t exclude_object,
              std::vector<double> &ranges_m) const {
        ranges_m.resize(fan_.beams);
        if (fan_.beams != 0)
            tl_cast_fan(&view, sensor, &fan_, range_max_m, z_m, exclude_object, ranges_m.data());
    }

private:
    tl_fan fan_{};
};

// One field of a sensor's feature; see tl_field.
struct Field {
    std::string name;
    std::string unit;
    double scale = 1.0;
    bool is_signed = false;
    std::vector<std::uint32_t> shape; // {} a scalar, {361} a scan, {8, 2} eight rows of two; at most three extents, above 0.

    // +inf means nothing there, -inf too close; NaN means nothing, and is a Fault.
    std::uint32_t encode(double value) const {
        if (std::isnan(value))
            throw Fault("NaN in field " + name);
        return tl_encode(value, scale, is_signed);
    }
};

struct Feature {
    std::string name;
    std::vector<Field> fields;
};

using Layout = std::vector<Feature>;

// What a motion model takes and publishes.
struct MotionDescription {
    std::vector<tl_dimension> dimensions;
    std::vector<tl_datum> data;
    bool one_step = false; // Whether a command counts for one step only.
};

// A referee's words of the game; the game begins in the first phase.
struct GameDescription {
    std::vector<const char *> phases = {"play"};
    std::vector<const char *> restarts;
    std::vector<tl_datum> values;
    std::vector<const char *> motion_data; // Names of the motion data that it reads and sets, at most TL_MAX_MOTION_DATA.
    bool prepares = false; // Whether `prepare` is called before the physics of each step.
};

// ---- The four kinds ----------------------------------------------------------------------------------------------------

// What all kinds have in common. A derived class has the static members `name`, `version`, `summary` and `params()`, and a
// constructor (const Params &, const touchline::Setup &, touchline::Problems &).
template <class P, class S> class Plugin {
public:
    using Params = P;
    using State = S;
    static constexpr bool is_stateless = std::is_same_v<S, Stateless>;
    static_assert(std::is_trivially_copyable_v<S>, "a state is a struct of plain numbers: the server copies its bytes");
    virtual ~Plugin() = default;
    // The state before the first call.
    virtual S initial_state() const { return S{}; }
};

// Reads the world. The derived class has the static member `type`, such as "laser".
template <class P, class S = Stateless> class Sensor : public Plugin<P, S> {
public:
    static constexpr std::uint32_t kind = TL_KIND_SENSOR;
    // Whether one instance serves all robots that have the sensor alike; true for one that does not look at its robot's name.
    static constexpr bool serves_all = false;
    // Whether what its robot hears by radio is nothing to it, though it has a state.
    static constexpr bool is_deaf = false;
    // What the integers mean. Asked once.
    virtual Layout layout() const = 0;
    // What its robot's player or client can set of it. Asked once.
    virtual std::vector<tl_sensor_datum> data() const { return {}; }
    // `quantised` has one zero for each integer of the layout.
    virtual void generate(const S &state, const tl_generate &input, std::uint32_t *quantised) const = 0;
    // Integrates one step; never called if the sensor is stateless.
    virtual void advance(S &, const tl_sensor_advance &) const {}
};

// Says what a robot would do over the next cycle if nothing were in its way.
template <class P, class S = Stateless> class Motion : public Plugin<P, S> {
public:
    static constexpr std::uint32_t kind = TL_KIND_MOTION;
    virtual MotionDescription description() const = 0;
    virtual tl_motion_output advance(S &state, const tl_motion_advance &input) const = 0;
};

// Drives one robot.
template <class P, class S = Stateless> class Player : public Plugin<P, S> {
public:
    static constexpr std::uint32_t kind = TL_KIND_PLAYER;
    // The fields that it reads; only their sensors are generated.
    virtual std::vector<tl_field_handle> wants() const { return {}; }
    virtual void act(S &state, const tl_act &input, Orders &orders) const = 0;
};

// Judges one step.
template <class P, class S = Stateless> class Referee : public Plugin<P, S> {
public:
    static constexpr std::uint32_t kind = TL_KIND_REFEREE;
    virtual GameDescription description() const { return {}; }
    virtual void prepare(S &, const tl_prepare &, Orders &) const {}
    virtual void judge(S &state, const tl_judge &input, Orders &orders) const = 0;
};

// ---- The border --------------------------------------------------------------------------------------------------------

namespace detail {

// Checks the blocks, and turns whatever is thrown into a status.
template <class I, class O, class F> std::int32_t guarded(const I *input, O *output, F &&call) noexcept {
    TL_CHECK(input, output);
    try {
        return call(*input, *output);
    } catch (const Fault &fault) {
        return tl_fault(&output->message, "%s", fault.what());
    } catch (const std::exception &error) {
        return tl_fault(&output->message, "threw: %s; catch it, or throw a touchline::Fault", error.what());
    } catch (...) {
        return tl_fault(&output->message, "threw something that is no std::exception; throw a touchline::Fault");
    }
}

template <class T> const T &self(const tl_instance *instance) {
    if (instance == nullptr)
        throw Fault("the call names no instance");
    return *reinterpret_cast<const T *>(instance);
}

template <class S> std::size_t size_of() { return std::is_same_v<S, Stateless> ? 0 : sizeof(S); }

template <class S> S load(const std::uint8_t *bytes, std::size_t len) {
    S state{};
    if (len != size_of<S>())
        throw Fault("the state has " + std::to_string(len) + " bytes, expected " + std::to_string(size_of<S>()));
    if (len != 0)
        memcpy(static_cast<void *>(&state), bytes, len);
    return state;
}

inline std::int32_t write_sensor(tl_text_buffer &buffer, const char *type, bool is_stateless, bool serves_all,
                                 bool is_deaf, const Layout &layout, const std::vector<tl_sensor_datum> &data) {
    std::vector<std::vector<tl_field>> fields;
    std::vector<tl_feature> features;
    for (const Feature &feature : layout) {
        std::vector<tl_field> &row = fields.emplace_back();
        for (const Field &field : feature.fields) {
            tl_field plain = {field.name.c_str(), field.unit.c_str(), field.scale, field.is_signed, {0, 0, 0}};
            if (field.shape.size() > 3)
                throw Fault("field " + field.name + " has more than three extents");
            for (std::size_t i = 0; i < field.shape.size(); i++) {
                if (field.shape[i] == 0)
                    throw Fault("field " + field.name + " has an extent of 0; the shape of a scalar is {}");
                plain.shape[i] = field.shape[i];
            }
            row.push_back(plain);
        }
        features.push_back({feature.name.c_str(), nullptr, row.size()});
    }
    for (std::size_t i = 0; i < features.size(); i++)
        features[i].fields = fields[i].data();
    return tl_write_shared_sensor(&buffer, type, is_stateless, serves_all, is_deaf, features.data(), features.size(),
                                  data.data(), data.size());
}

template <class T> std::int32_t write_description(tl_text_buffer &buffer, const T &made) {
    if constexpr (T::kind == TL_KIND_SENSOR) {
        return write_sensor(buffer, T::type, T::is_stateless, T::serves_all, T::is_deaf, made.layout(), made.data());
    } else if constexpr (T::kind == TL_KIND_MOTION) {
        const MotionDescription said = made.description();
        return tl_write_motion(&buffer, said.dimensions.data(), said.dimensions.size(), said.data.data(), said.data.size(),
                               said.one_step);
    } else if constexpr (T::kind == TL_KIND_PLAYER) {
        const std::vector<tl_field_handle> wanted = made.wants();
        std::vector<const tl_field_handle *> places;
        for (const tl_field_handle &handle : wanted)
            places.push_back(&handle);
        return tl_write_wanted(&buffer, places.data(), places.size());
    } else {
        const GameDescription said = made.description();
        return tl_write_game(&buffer, said.phases.data(), said.phases.size(), said.restarts.data(), said.restarts.size(),
                             said.values.data(), said.values.size(), said.motion_data.data(), said.motion_data.size(),
                             said.prepares);
    }
}

// A state's bytes are compared and hashed: what memory had in the gaps between its numbers becomes zeros.
template <class S> const S *without_gaps(S &state) {
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&state);
#endif
#endif
    return &state;
}

// Each library has its own table: known by its name, that of another library with a class of the same name would be taken for it.
namespace {

template <class T> struct Door {
    using P = typename T::Params;
    using S = typename T::State;

    static std::int32_t describe(const tl_instance *, const tl_nothing *input, tl_text_reply *output) noexcept {
        return guarded(input, output, [](const tl_nothing &, tl_text_reply &out) {
            P defaults{};
            std::vector<tl_param> rows;
            for (const Param<P> &param : T::params())
                rows.push_back(param.row(defaults));
            return tl_describe(&out.text, T::kind, T::name, T::version, T::summary, rows.data(), rows.size());
        });
    }

    static std::int32_t create(const tl_instance *, const tl_create *input, tl_created *output) noexcept {
        return guarded(input, output, [](const tl_create &in, tl_created &out) {
            out.instance = nullptr;
            tl_problems problems = tl_problems_begin(&out.text);
            Problems collected(problems);
            const tl_json all = tl_json_of(in.params);
            P defaults{};
            P params{};
            std::vector<tl_param> rows;
            for (const Param<P> &param : T::params()) {
                rows.push_back(param.row(defaults));
                param.read(all, params, problems);
            }
            tl_check_names(all, rows.data(), rows.size(), &problems);
            // What reads them may rely on sound parameters.
            if (problems.count != 0)
                return tl_problems_end(&problems);
            std::unique_ptr<T> made;
            try {
                made = std::make_unique<T>(std::as_const(params), Setup(in.setup), collected);
            } catch (...) {
                // What is wrong with the parameters says more than what came of it.
                if (problems.count == 0)
                    throw;
            }
            if (problems.count != 0)
                return tl_problems_end(&problems);
            const std::int32_t status = write_description(out.text, *made);
            if (status == TL_OK)
                out.instance = reinterpret_cast<tl_instance *>(made.release());
            return status;
        });
    }

    static std::int32_t destroy(const tl_instance *instance, const tl_nothing *input, tl_reply *output) noexcept {
        return guarded(input, output, [&](const tl_nothing &, tl_reply &) -> std::int32_t {
            delete reinterpret_cast<const T *>(instance);
            return TL_OK;
        });
    }

    static std::int32_t initial_state(const tl_instance *instance, const tl_nothing *input,
                                      tl_state_reply *output) noexcept {
        return guarded(input, output, [&](const tl_nothing &, tl_state_reply &out) {
            S state = self<T>(instance).initial_state();
            return tl_state_write(&out.state, without_gaps(state), size_of<S>());
        });
    }

    static std::int32_t advance_motion(const tl_instance *instance, const tl_motion_advance *input,
                                       tl_motion_reply *output) noexcept {
        return guarded(input, output, [&](const tl_motion_advance &in, tl_motion_reply &out) {
            S state = load<S>(out.state.ptr, out.state.len);
            out.output = self<T>(instance).advance(state, in);
            return tl_state_write(&out.state, without_gaps(state), size_of<S>());
        });
    }

    static std::int32_t advance_sensor(const tl_instance *instance, const tl_sensor_advance *input,
                                       tl_state_reply *output) noexcept {
        return guarded(input, output, [&](const tl_sensor_advance &in, tl_state_reply &out) {
            S state = load<S>(out.state.ptr, out.state.len);
            self<T>(instance).advance(state, in);
            return tl_state_write(&out.state, without_gaps(state), size_of<S>());
        });
    }

    static std::int32_t generate(const tl_instance *instance, const tl_generate *input,
                                 tl_quantised_reply *output) noexcept {
        return guarded(input, output, [&](const tl_generate &in, tl_quantised_reply &out) -> std::int32_t {
            self<T>(instance).generate(load<S>(in.state.ptr, in.state.len), in, out.quantised.ptr);
            return TL_OK;
        });
    }

    // `orders` for players and referees.
    template <class I, class F>
    static std::int32_t decide(const I *input, tl_orders_reply *output, F &&call) noexcept {
        return guarded(input, output, [&](const I &in, tl_orders_reply &out) {
            S state = load<S>(out.state.ptr, out.state.len);
            tl_orders list = tl_orders_begin(&out);
            Orders orders(list);
            call(state, in, orders);
            return tl_orders_end(&list, without_gaps(state), size_of<S>());
        });
    }

    static std::int32_t act(const tl_instance *instance, const tl_act *input, tl_orders_reply *output) noexcept {
        return decide(input, output,
                      [&](S &state, const tl_act &in, Orders &orders) { self<T>(instance).act(state, in, orders); });
    }

    static std::int32_t prepare(const tl_instance *instance, const tl_prepare *input, tl_orders_reply *output) noexcept {
        return decide(input, output,
                      [&](S &state, const tl_prepare &in, Orders &orders) { self<T>(instance).prepare(state, in, orders); });
    }

    static std::int32_t judge(const tl_instance *instance, const tl_judge *input, tl_orders_reply *output) noexcept {
        return decide(input, output,
                      [&](S &state, const tl_judge &in, Orders &orders) { self<T>(instance).judge(state, in, orders); });
    }

    static const touchline_plugin *table() noexcept {
        static const touchline_plugin plugin = [] {
            touchline_plugin made{};
            made.interface_version = TL_INTERFACE_VERSION;
            made.kind = T::kind;
            made.size = sizeof made;
            made.describe = describe;
            made.create = create;
            made.destroy = destroy;
            made.initial_state = initial_state;
            if constexpr (T::kind == TL_KIND_MOTION)
                made.advance_motion = advance_motion;
            if constexpr (T::kind == TL_KIND_SENSOR) {
                made.advance_sensor = advance_sensor;
                made.generate = generate;
            }
            if constexpr (T::kind == TL_KIND_PLAYER)
                made.act = act;
            if constexpr (T::kind == TL_KIND_REFEREE) {
                made.prepare = prepare;
                made.judge = judge;
            }
            return made;
        }();
        return &plugin;
    }
};

} // namespace
} // namespace detail
} // namespace touchline

#define TOUCHLINE_EXPORT_KIND(Type, Kind)                                                                             \
    static_assert(Type::kind == Kind, #Type " is a plugin of another kind");                                         \
    extern "C" TL_EXPORT const touchline_plugin *touchline_plugin_v8(void) {                                          \
        return ::touchline::detail::Door<Type>::table();                                                             \
    }

// Makes the library a plugin: once, outside of any namespace.
#define TOUCHLINE_EXPORT_SENSOR(Type) TOUCHLINE_EXPORT_KIND(Type, TL_KIND_SENSOR)
#define TOUCHLINE_EXPORT_MOTION(Type) TOUCHLINE_EXPORT_KIND(Type, TL_KIND_MOTION)
#define TOUCHLINE_EXPORT_PLAYER(Type) TOUCHLINE_EXPORT_KIND(Type, TL_KIND_PLAYER)
#define TOUCHLINE_EXPORT_REFEREE(Type) TOUCHLINE_EXPORT_KIND(Type, TL_KIND_REFEREE)

#endif
