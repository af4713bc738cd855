// A foot-bot of ARGoS that wanders, and a report of where all are at the end.

#include "wander.hpp"

#include <argos3/core/control_interface/ci_controller.h>
#include <argos3/core/simulator/loop_functions.h>
#include <argos3/core/simulator/space/space.h>
#include <argos3/plugins/robots/foot-bot/control_interface/ci_footbot_proximity_sensor.h>
#include <argos3/plugins/robots/foot-bot/simulator/footbot_entity.h>
#include <argos3/plugins/robots/generic/control_interface/ci_differential_steering_actuator.h>

#include <cstdio>
#include <random>
#include <string>

namespace {

constexpr double TICK_S = 0.1;
constexpr double WHEEL_DISTANCE_M = 0.14;
// The sensor answers 0.0100527 / (distance + 0.000163144), and 1 if it is nearer than 1 cm.
constexpr double GAIN_M = 0.0100527;
constexpr double OFFSET_M = 0.000163144;

class Swarm : public argos::CCI_Controller {
public:
    void Init(argos::TConfigurationNode& params) override {
        argos::GetNodeAttribute(params, "clearance_m", drive_.clearance_m);
        argos::GetNodeAttribute(params, "patience_s", drive_.patience_s);
        wheels_ = GetActuator<argos::CCI_DifferentialSteeringActuator>("differential_steering");
        ring_ = GetSensor<argos::CCI_FootBotProximitySensor>("footbot_proximity");
        // The robots are r0, r1, ...
        random_.seed(static_cast<unsigned>(std::stoul(GetId().substr(1))) + 1);
        for (const auto& reading : ring_->GetReadings()) {
            const double angle_rad = reading.Angle.GetValue();
            directions_.push_back({std::cos(angle_rad), std::sin(angle_rad)});
        }
    }

    void ControlStep() override {
        wander::Obstacles obstacles;
        const auto& readings = ring_->GetReadings();
        for (std::size_t beam = 0; beam < readings.size(); ++beam) {
            if (readings[beam].Value > 0.0) {
                obstacles.add(drive_.radius_m + GAIN_M / readings[beam].Value - OFFSET_M, directions_[beam]);
            }
        }
        const auto uniform = [this](double low, double high) {
            return std::uniform_real_distribution<double>(low, high)(random_);
        };
        const wander::Twist twist = wander::steer(drive_, course_, obstacles, TICK_S, uniform);
        const double side_m_s = 0.5 * WHEEL_DISTANCE_M * twist.turn_rad_s;
        // In centimetres a second.
        wheels_->SetLinearVelocity(100.0 * (twist.forward_m_s - side_m_s), 100.0 * (twist.forward_m_s + side_m_s));
    }

private:
    argos::CCI_DifferentialSteeringActuator* wheels_ = nullptr;
    argos::CCI_FootBotProximitySensor* ring_ = nullptr;
    std::vector<wander::Point> directions_;
    std::minstd_rand random_;
    wander::Drive drive_{0.15, 2.0, 0.085, 0.0, 0.0};
    wander::Course course_;
};

class Places : public argos::CLoopFunctions {
public:
    void PostExperiment() override {
        for (auto& [id, entity] : GetSpace().GetEntitiesByType("foot-bot")) {
            auto* robot = argos::any_cast<argos::CFootBotEntity*>(entity);
            const auto& place = robot->GetEmbodiedEntity().GetOriginAnchor().Position;
            std::printf("place %s %.4f %.4f\n", id.c_str(), place.GetX(), place.GetY());
        }
    }
};

}  // namespace

REGISTER_CONTROLLER(Swarm, "swarm")
REGISTER_LOOP_FUNCTIONS(Places, "places")
