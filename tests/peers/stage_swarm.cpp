// A robot of Stage that wanders by its laser, and says where it is at the end.

#include "wander.hpp"

#include <stage.hh>

#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr double PERIOD_S = 0.1;
// The radius is that of the circle around 0.44 by 0.38 m.
constexpr wander::Drive DRIVE{0.5, 1.5707963267948966, 0.2907, 0.5, 1e9};

struct Robot {
    Stg::ModelPosition* position;
    Stg::ModelRanger* laser;
    std::vector<wander::Point> directions;
    std::minstd_rand random;
    wander::Course course;
    Stg::usec_t end_us;
};

int steer(Stg::Model*, void* given) {
    Robot& robot = *static_cast<Robot*>(given);
    const auto& sensor = robot.laser->GetSensors()[0];
    wander::Obstacles obstacles;
    for (std::size_t beam = 0; beam < sensor.ranges.size(); ++beam) {
        if (sensor.ranges[beam] < sensor.range.max) {
            obstacles.add(sensor.ranges[beam], robot.directions[beam]);
        }
    }
    const auto uniform = [&robot](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(robot.random);
    };
    const wander::Twist twist = wander::steer(DRIVE, robot.course, obstacles, PERIOD_S, uniform);
    robot.position->SetSpeed(twist.forward_m_s, 0.0, twist.turn_rad_s);
    if (robot.laser->GetWorld()->SimTimeNow() >= robot.end_us) {
        const Stg::Pose pose = robot.position->GetGlobalPose();
        std::printf("place %s %.4f %.4f\n", robot.position->Token(), pose.x, pose.y);
    }
    return 0;
}

}  // namespace

// Its words in the world file: the plugin's name, the robot's number, the end in seconds.
extern "C" int Init(Stg::Model* model, Stg::CtrlArgs* arguments) {
    unsigned number = 0;
    double end_s = 0.0;
    std::sscanf(arguments->worldfile.c_str(), "%*s %u %lf", &number, &end_s);
    auto* position = dynamic_cast<Stg::ModelPosition*>(model);
    auto* laser = dynamic_cast<Stg::ModelRanger*>(model->GetChild("ranger:0"));
    if (position == nullptr || laser == nullptr) {
        std::fprintf(stderr, "a robot without wheels or laser\n");
        std::exit(1);
    }
    const auto& sensor = laser->GetSensors()[0];
    const double step_rad = sensor.fov / (sensor.sample_count - 1);
    auto* robot = new Robot{position, laser, wander::directions(-sensor.fov / 2, step_rad, sensor.sample_count),
                            std::minstd_rand(number + 1), {}, static_cast<Stg::usec_t>(end_s * 1e6 + 0.5)};
    laser->AddCallback(Stg::Model::CB_UPDATE, steer, robot);
    laser->Subscribe();
    position->Subscribe();
    return 0;
}
