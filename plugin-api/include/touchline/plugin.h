/* The plugin interface of Touchline for C11 and C++17: constants, records, blocks, and the one function to export.
 *
 * A plugin is a dynamic library that exports
 *
 *     const touchline_plugin *touchline_plugin_v8(void);
 *
 * which gives a table of functions that lives as long as the library. helpers.h has what most plugins need (parameters,
 * noise, rays, orders); C++ has plugin.hpp, where one derives a class. This header alone is enough for everything.
 *
 * Units and frames: SI units and radians; right-handed, x forward, y left, angles counter-clockwise, the field's origin
 * at its centre. A quantity whose unit is not obvious has it in its name (`range_m`, `dt_secs`).
 *
 * Rules for all functions:
 * - A function gets an instance, an input block and an output block, and returns a TL_... status. Blocks, slices and buffers
 *   are the server's, and valid for this call only: keep no pointer to them.
 * - Every block begins with its size and version. A block may be longer than this header knows, never shorter: if it is, or
 *   if the version is another, return TL_BAD_BLOCK (TL_CHECK does it).
 * - An instance never changes after `create`. It may be called from several threads at once, and a call may be repeated:
 *   the same input gives the same output. No clock, no file, no global that changes, no rand(): noise is given by a key.
 * - What has to be remembered from step to step is the state: bytes that the server keeps, hands in, and takes back with a
 *   call that returned TL_OK. Pointers have no place in it.
 * - An output that does not fit: set `needed` of its buffer, change nothing, return TL_BUFFER_TOO_SMALL. The call is then repeated.
 *   A sensor's reading is as long as its layout: it never needs more. Nobody writes past `cap`: a write to the first 64
 *   bytes behind it (16 integers) is noticed, and is a fault; one that goes farther cannot be seen. Test with
 *   -fsanitize=address.
 * - If something fails, write the reason to `message` (it is cut off at its `cap`) and return TL_FAULT; the world goes on.
 *   `generate`: who reads gets the reason, and the next reading is a new attempt; if a player plugin wanted it, the sensor
 *   is stopped. `advance_sensor`: the sensor is stopped, and its robot drives on. `advance_motion`: the robot stands still.
 *   `act`: the player is gone, and its robot stands. `judge`: nobody judges any more. Whatever is stopped is named in an
 *   event and in the server's log. No exception and no longjmp may leave a function.
 * - Descriptions, setups and parameters are JSON, UTF-8; what is needed at every step is plain records.
 *
 * A test of Touchline compares the size and place of every field here with those of the server.
 */
#ifndef TOUCHLINE_PLUGIN_H
#define TOUCHLINE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TL_EXPORT __declspec(dllexport)
#else
#define TL_EXPORT __attribute__((visibility("default")))
#endif

/* The version of table and blocks. A plugin with another one is refused. */
#define TL_INTERFACE_VERSION 8

/* What a function returns. */
enum {
    TL_OK = 0,          /* The outputs are there. */
    TL_BUFFER_TOO_SMALL = 1,   /* An output did not fit; its `needed` says how much it needs. Nothing was done. */
    TL_FAULT = 2,       /* The plugin cannot go on; `message` says why. */
    TL_PANIC = 3,       /* As TL_FAULT, of something unforeseen: `panicked: ` and `message` are said. */
    TL_BAD_BLOCK = 4,   /* A block is missing, shorter than expected or of another version. */
    TL_UNSUPPORTED = 5, /* This kind of plugin has no such function. */
    TL_SETUP = 6        /* `create` only: the parameters are wrong; `text` is {"problems":[{"pointer","message"}]}. */
};

/* touchline_plugin.kind */
enum { TL_KIND_MOTION = 0, TL_KIND_SENSOR = 1, TL_KIND_PLAYER = 2, TL_KIND_REFEREE = 3 };

/* An index or number that means "none". */
#define TL_NONE UINT32_MAX
/* The most numbers that a motion command can have. */
#define TL_MAX_DIMENSIONS 8
/* The most numbers of internal state that a motion model can publish. */
#define TL_MAX_MOTION_DATA 16
/* The most numbers of a sensor that can be set. */
#define TL_MAX_SENSOR_DATA 8
/* tl_object.kind_code */
enum { TL_OBJECT_FIXTURES = 0, TL_OBJECT_BALL = 1, TL_OBJECT_ROBOT = 2 };

/* tl_shape.kind_code */
enum { TL_SHAPE_RECTANGLE = 0, TL_SHAPE_ELLIPSE = 1, TL_SHAPE_TRIANGLE = 2 };

/* tl_shape.role_code */
enum {
    TL_ROLE_NONE = 0,   /* Part of something else. */
    TL_ROLE_WALL = 1,   /* Bounds the world. */
    TL_ROLE_GOAL = 2,   /* The area behind a goal line. */
    TL_ROLE_POLE = 3,   /* A corner post or a goal post. */
    TL_ROLE_LINE = 4,   /* Painted on the floor. */
    TL_ROLE_MARKER = 5, /* Any other landmark. */
    TL_ROLE_AREA = 6    /* Painted on the floor, filled. */
};

/* tl_message.channel */
enum {
    TL_CHANNEL_ALL = 0, /* Everybody hears it. */
    TL_CHANNEL_TEAM = 1 /* Robots and players of the sender's team hear it. */
};

/* tl_message.sender */
enum {
    TL_SENDER_ROBOT = 0,
    TL_SENDER_TEAM_PLAYER = 1, /* A player that belongs to a team, such as a coach. */
    TL_SENDER_REFEREE = 2
};

/* tl_order.code, and which fields of the order count. */
enum {
    TL_ORDER_DRIVE = 1,       /* index: how many values; values: the command vector. */
    TL_ORDER_DRIVE_TWIST = 2, /* values: forward m/s, left m/s, turn rad/s; body frame. */
    TL_ORDER_MANIPULATE = 3,  /* target: manipulator; index: its state; values: strength in [0, 1], direction
                                 rad, elevation rad, which of the two are given (1, 2, or 3 for both). */
    TL_ORDER_SAY = 4,         /* index: TL_CHANNEL_...; text: the radio message; heard at the end of the step. */
    TL_ORDER_PLACE_ROBOT = 5, /* target: robot's number; values: x m, y m, heading rad, world frame; x m/s, y m/s, turn rad/s, body frame. */
    TL_ORDER_PLACE_BALL = 6,  /* target: ball's number; values: x m, y m, vx m/s, vy m/s, z m, vz m/s; world frame. */
    TL_ORDER_ANNOTATE = 7,    /* text: key, then JSON value; text_split: where the value begins. */
    TL_ORDER_END = 8,         /* The player ends; its robot goes. */
    TL_ORDER_GAME = 9,        /* Referees. text: a tl_game_head, then its tl_team and double. (tl_order_game) */
    TL_ORDER_EVENT = 10,      /* Referees. text: kind, then what else is to be said; target: the team or TL_NONE. */
    TL_ORDER_ANNOUNCE = 11,   /* Referees. text: told to all who watch. */
    TL_ORDER_RESET_OBJECTS = 12, /* Referees. Everything goes to its starting place. */
    TL_ORDER_REWARD = 13,       /* Referees. target: a robot's number; value: what it is paid for this step. */
    TL_ORDER_END_EPISODE = 14,  /* Referees. Text: how the episode ended. */
    TL_ORDER_REMOVE_ROBOT = 15, /* Referees. target: a robot's number; it goes for good. */
    TL_ORDER_HOLD_ROBOT = 16,   /* Referees. target: a robot's number; index: 1 holds its drive, 0 lets go. */
    TL_ORDER_SET_DATUM = 17,    /* Referees. target: a robot's number; index: its place in what `create` named; values[0]: its value. */
    TL_ORDER_MEASURE = 18,      /* Referees. text: name, then unit; values[0]: the value. */
    TL_ORDER_TELL = 19,         /* Referees. target: a robot's number; text: what its player hears. */
    TL_ORDER_REFUSE_KICK = 20,  /* Referees, in `prepare`. target: index into tl_prepare.kicks. */
    TL_ORDER_SET_SENSOR = 21,   /* target: a sensor of one's own robot; index: one of its data; values[0]: its value. */
    TL_ORDER_EXCHANGE_PLAYER = 22, /* Players of a team, referees. target: a robot's number; text: the plugin or nothing, then its
                                     parameters, JSON; values[0]: seconds between two calls, 0 for as before. */
    TL_ORDER_RULE = 23          /* Referees. text: a ruling's word, then JSON; text_split: where the JSON begins. (docs/plugins.md) */
};

/* ---- Records ---------------------------------------------------------------------------------------------------- */

/* A position and a heading, in the frame that the holder names. */
typedef struct tl_pose {
    double x_m;
    double y_m;
    double theta_rad;
} tl_pose;

/* A velocity, in the frame that the holder names. */
typedef struct tl_twist {
    double x_m_s;
    double y_m_s;
    double turn_rad_s;
} tl_twist;

/* The name of one stream of random numbers. */
typedef struct tl_noise_key {
    uint64_t owner; /* A hash of the run's seed and the instance's full name. */
    uint64_t step;
} tl_noise_key;

/* How high something is and how fast it rises; zeros are on the floor. */
typedef struct tl_vertical {
    double z_m;       /* Of its lowest point above the floor. */
    double speed_m_s; /* Upwards. */
} tl_vertical;

/* A robot, a ball, or all fixtures together. */
typedef struct tl_object {
    tl_pose pose;         /* World frame. */
    tl_twist twist;       /* World frame. */
    double radius_m;      /* No point is farther from the object's origin; infinite for the fixtures. */
    tl_vertical vertical; /* Zeros for all but a ball that flies; its shapes' heights follow. */
    uint32_t kind_code;   /* TL_OBJECT_... */
    uint32_t number;      /* A robot's or ball's number, never used again in a run; TL_NONE for the fixtures. */
    uint32_t team;        /* A robot's team, or TL_NONE. */
    uint32_t colour;      /* 0xRRGGBB */
    uint32_t first_shape; /* Index into tl_view.shapes. */
    uint32_t shape_count;
    uint32_t shirt; /* The number that a robot's name ends with, such as 3 of blue-3; TL_NONE if it ends with none. */
    uint32_t reserved;
} tl_object;

/* One geometric primitive, in the world frame. */
typedef struct tl_shape {
    double x_m;         /* The centre of a rectangle or ellipse, the first corner of a triangle. */
    double y_m;
    double cos;         /* Of the shape's heading. */
    double sin;
    double half_x_m;    /* Half the extent along the shape's own x (rectangle, ellipse). */
    double half_y_m;
    double corner_b[2]; /* A triangle's second corner, metres. */
    double corner_c[2]; /* A triangle's third corner, metres. */
    double z_bottom_m;  /* Above the floor. */
    double z_top_m;
    double radius_m;    /* No point is farther from (x_m, y_m). */
    uint32_t kind_code; /* TL_SHAPE_... */
    uint32_t role_code; /* TL_ROLE_... */
    uint32_t object;    /* The object that it is part of: index into tl_view.objects. */
    uint32_t team;      /* A goal's owner, or TL_NONE. */
    uint32_t colour;    /* 0xRRGGBB */
    uint32_t solid;     /* 1 if bodies and rays meet it, 0 if it is only seen. */
} tl_shape;

/* Square cells, by which the objects of a large world lie in tl_view.cells: see tl_near_begin (helpers.h). */
typedef struct tl_grid {
    double x_m;         /* The corner of the first cell. */
    double y_m;
    double cell_m;      /* The side of a cell. */
    double radius_m;    /* No object in a cell has a larger radius. */
    uint32_t columns;   /* Cells along x. */
    uint32_t rows;      /* Cells along y. */
    uint32_t first;     /* So many objects, the first ones, are in no cell: the fixtures. */
    uint32_t reserved;
} tl_grid;

/* How play is taken up again. */
typedef struct tl_restart {
    double place[2];      /* Metres, world frame. */
    double deadline_secs; /* On the game's clock; infinite if it may take any time. */
    uint32_t kind;        /* Which of the restarts that the referee declares, or TL_NONE: play goes on. */
    uint32_t team;        /* Whose it is, or TL_NONE. */
} tl_restart;

/* How the game stands for one team. */
typedef struct tl_team {
    int64_t score;
    uint32_t may_move; /* 1 if the rules let its robots move now. */
    uint32_t reserved;
} tl_team;

/* How the bytes of TL_ORDER_GAME begin; teams and values follow. */
typedef struct tl_game_head {
    double clock_secs;
    tl_restart restart;
    uint32_t phase;
    uint32_t episode;
    uint64_t teams;  /* How many follow. */
    uint64_t values; /* How many follow behind them. */
} tl_game_head;

/* A manipulator of the player's robot. */
typedef struct tl_manipulator {
    uint32_t state;       /* Index into its description's states. */
    uint32_t has_ball;    /* 1 if it touches a ball, or has one in its zone. */
    double ready_in_secs; /* How long until it can accelerate the ball again; 0 if it is ready. */
} tl_manipulator;

/* Where one sensor's integers lie among a player's readings. */
typedef struct tl_reading_span {
    uint32_t start;    /* Index into tl_act.quantised, or TL_NONE if there is no reading. */
    uint32_t len;
    double stamp_secs; /* When it was taken, simulated time: earlier than now for a sensor with a rate or a delay. */
} tl_reading_span;

/* Where one radio message lies in the block's inbox_text. */
typedef struct tl_message {
    uint32_t from;      /* The number of the robot that said it; TL_NONE if it was no robot. */
    uint32_t start;     /* Bytes. */
    uint32_t len;       /* Bytes. */
    uint32_t channel;   /* TL_CHANNEL_... */
    uint32_t sender;    /* TL_SENDER_... */
    uint32_t from_team; /* The sender's team; TL_NONE if it has none. */
    uint32_t from_shirt; /* Its tl_object.shirt; TL_NONE if it was no robot. */
    uint32_t reserved;
    double bearing_rad; /* Where the sender is, body frame of who hears it; infinite if the radio does not tell it. */
} tl_message;

/* What one robot's motion model publishes. */
typedef struct tl_data {
    uint32_t robot; /* Its number. */
    uint32_t len;   /* How many values count. */
    double values[TL_MAX_MOTION_DATA];
} tl_data;

/* Two objects that began or ceased to touch in this step. */
typedef struct tl_contact {
    uint32_t object_a; /* Index into tl_view.objects. */
    uint32_t object_b;
    uint32_t began;    /* 1 began, 0 ceased. */
    uint32_t fixture;  /* Index into tl_view.shapes and into the names `fixtures` of the setup, if one object is the fixtures; or TL_NONE. */
} tl_contact;

/* Where a ball was at the beginning of the step, or at a moment within it at which something was met. From one to the next, and to its place
 * after the step, it goes straight. */
typedef struct tl_waypoint {
    uint32_t object; /* The ball: index into tl_view.objects. */
    uint32_t reserved;
    double x_m; /* World frame. */
    double y_m;
    double z_m; /* Of its lowest point, above the floor. */
    double secs; /* Since the step began. */
} tl_waypoint;

/* What one robot is told to do in this step. */
typedef struct tl_command {
    uint32_t robot; /* Its number. */
    uint32_t len;   /* How many values count. */
    double values[TL_MAX_DIMENSIONS];
} tl_command;

/* A kick that comes in this step, if nobody refuses it. */
typedef struct tl_kick {
    uint32_t robot;       /* Its number. */
    uint32_t manipulator; /* Index into its manipulators. */
    uint32_t state;       /* Index into the manipulator's states. */
    uint32_t reserved;
    double strength;      /* In [0, 1]. */
    double direction_rad; /* Where to, in the robot's frame, before any scatter. */
    double elevation_rad; /* How high above the floor. */
} tl_kick;

/* One order of a player or referee. */
typedef struct tl_order {
    uint32_t code;       /* TL_ORDER_... */
    uint32_t target;
    uint32_t index;
    uint32_t text_start; /* Where its text begins in the reply's text, bytes. */
    uint32_t text_len;   /* Bytes. */
    uint32_t text_split; /* Where in its text the value begins, bytes. */
    double values[TL_MAX_DIMENSIONS];
} tl_order;

/* What a motion model wants of the next step. All numbers must be finite. */
typedef struct tl_motion_output {
    tl_twist twist;     /* The velocity over the step, constant in the body frame: the robot goes on an arc. */
    tl_twist end_twist; /* The velocity at the end of the step, body frame there. */
    double data[TL_MAX_MOTION_DATA]; /* As many numbers as the description names; the rest is ignored. */
} tl_motion_output;

/* ---- Slices: lent for reading. `ptr` may be anything if `len` is 0. ----------------------------------------------- */

/* UTF-8, not closed by a zero. */
typedef struct tl_text_slice { const char *ptr; uint64_t len; } tl_text_slice;
typedef struct tl_byte_slice { const uint8_t *ptr; uint64_t len; } tl_byte_slice;
typedef struct tl_number_slice { const double *ptr; uint64_t len; } tl_number_slice;
typedef struct tl_quantised_slice { const uint32_t *ptr; uint64_t len; } tl_quantised_slice;
typedef struct tl_object_slice { const tl_object *ptr; uint64_t len; } tl_object_slice;
typedef struct tl_shape_slice { const tl_shape *ptr; uint64_t len; } tl_shape_slice;
typedef struct tl_reading_slice { const tl_reading_span *ptr; uint64_t len; } tl_reading_slice;
typedef struct tl_manipulator_slice { const tl_manipulator *ptr; uint64_t len; } tl_manipulator_slice;
typedef struct tl_message_slice { const tl_message *ptr; uint64_t len; } tl_message_slice;
typedef struct tl_data_slice { const tl_data *ptr; uint64_t len; } tl_data_slice;
typedef struct tl_contact_slice { const tl_contact *ptr; uint64_t len; } tl_contact_slice;
typedef struct tl_waypoint_slice { const tl_waypoint *ptr; uint64_t len; } tl_waypoint_slice;
typedef struct tl_command_slice { const tl_command *ptr; uint64_t len; } tl_command_slice;
typedef struct tl_kick_slice { const tl_kick *ptr; uint64_t len; } tl_kick_slice;
typedef struct tl_team_slice { const tl_team *ptr; uint64_t len; } tl_team_slice;
typedef struct tl_grid_slice { const tl_grid *ptr; uint64_t len; } tl_grid_slice;
typedef struct tl_index_slice { const uint32_t *ptr; uint64_t len; } tl_index_slice;

/* ---- Buffers: lent for writing. ------------------------------------------------------------------------------------
 * len: before a call a state's length, after it what was written. cap: how much there is room for.
 * needed: how much there must be room for; counts only with TL_BUFFER_TOO_SMALL. */

typedef struct tl_text_buffer { char *ptr; uint64_t len; uint64_t cap; uint64_t needed; } tl_text_buffer;
typedef struct tl_byte_buffer { uint8_t *ptr; uint64_t len; uint64_t cap; uint64_t needed; } tl_byte_buffer;
typedef struct tl_quantised_buffer { uint32_t *ptr; uint64_t len; uint64_t cap; uint64_t needed; } tl_quantised_buffer;
typedef struct tl_order_buffer { tl_order *ptr; uint64_t len; uint64_t cap; uint64_t needed; } tl_order_buffer;

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* How every block begins. */
typedef struct tl_head {
    uint32_t size;    /* The block's length, bytes. */
    uint32_t version; /* TL_INTERFACE_VERSION */
} tl_head;

/* All that is true of the world at one step. */
typedef struct tl_view {
    uint64_t step;
    double time_secs;       /* Simulated time. */
    tl_object_slice objects; /* The fixtures (one object), then balls, then robots. */
    tl_shape_slice shapes;   /* Of all objects, grouped by object; solid ones first. */
    tl_grid_slice grid;      /* One, for sensors and robots' players of a world of many objects, or none: tl_near_begin asks it. */
    tl_index_slice cells;    /* Where the list of each cell ends among all lists, row by row; then these lists: indices into objects. */
} tl_view;

/* The state of the game, as the referee last said it. Its words are those that the referee declares: setup.world.game of a player. */
typedef struct tl_game {
    double clock_secs;      /* The playing time so far. */
    tl_restart restart;
    uint32_t phase;         /* Index into the declared phases. */
    uint32_t episode;       /* How many times the objects were brought to their starting places. */
    tl_team_slice teams;     /* One for each of the world's teams. */
    tl_number_slice values;  /* One for each declared value. */
} tl_game;

typedef struct tl_nothing {
    tl_head head;
} tl_nothing;

typedef struct tl_create {
    tl_head head;
    tl_text_slice params; /* The table `params` of the robot or world file, JSON. */
    /* JSON.
     * Motion: robot, dt_secs.
     * Sensor: robot, id, model, mount {x_m, y_m, z_m, theta_rad}, dt_secs, motion {dimensions, data}, teams, team [missing without one],
     *         fixtures [their names, in the order of their shapes in the view: tl_fixture_named].
     * Player: robot {name, team, radius_m, motion, sensors, manipulators}, teams, period_secs, team_robots [as robot],
     *         world {robots, robot_teams, fixtures, balls, goals, goal_teams, dt_secs, episode_steps, game {phases, restarts, values}}.
     * Referee: teams, dt_secs, world as there. */
    tl_text_slice setup;
} tl_create;

typedef struct tl_motion_advance {
    tl_head head;
    double dt_secs;
    tl_number_slice command; /* One number for each dimension, finite; not yet held to the dimensions' ranges. */
    tl_number_slice data;    /* What it published last, with what a referee has set since. */
    tl_twist achieved;      /* The constant velocity that makes the last step's change of pose, body frame. */
    tl_twist twist;         /* The velocity now, body frame. */
    tl_noise_key noise;     /* This instance's stream of this step. */
} tl_motion_advance;

typedef struct tl_sensor_advance {
    tl_head head;
    double dt_secs;
    tl_pose displacement;       /* How the robot's pose changed in this step, in the body frame at its beginning. */
    tl_twist twist;             /* The robot's velocity at the end of the step, body frame. */
    tl_pose pose;               /* The robot's pose at the end of the step, world frame. */
    tl_number_slice motion_data; /* What the motion model published. */
    tl_number_slice data;        /* Its own data, as they are set. */
    tl_message_slice inbox_records; /* Radio messages that its robot has heard in this step. */
    tl_text_slice inbox_text;
    tl_noise_key noise;
} tl_sensor_advance;

typedef struct tl_generate {
    tl_head head;
    tl_view view;
    uint32_t robot;             /* The number of the robot that carries the sensor. */
    uint32_t robot_object;      /* Its index in view.objects. */
    tl_pose robot_pose;         /* World frame. */
    tl_twist robot_twist;       /* Body frame. */
    tl_pose sensor_pose;        /* World frame: the robot's pose and the mounting, turned by the motion datum that it follows. */
    double sensor_z_m;          /* Above the floor. */
    tl_number_slice motion_data;
    tl_number_slice data;        /* Its own data, as they are set. */
    tl_noise_key noise;
    tl_byte_slice state;         /* What the sensor remembers. */
} tl_generate;

typedef struct tl_act {
    tl_head head;
    uint32_t robot;               /* The number of the player's robot; TL_NONE for one that belongs to a team. */
    uint32_t reserved;
    double elapsed_secs;          /* Since the last call; 0 at the first. */
    double stamp_secs;            /* The time of this call, simulated; each reading has its own stamp. */
    tl_reading_slice spans;       /* One for each sensor of the robot. */
    tl_quantised_slice quantised;         /* The integers of all sensors that were read. */
    tl_manipulator_slice manipulators;
    tl_message_slice inbox_records; /* Radio messages since the last call. */
    tl_text_slice inbox_text;
    tl_data_slice motion_data;     /* Of all robots, for one that belongs to a team and sees the truth. */
    tl_game game;
    tl_view view;                 /* The world itself; players that shall run on a real robot do not look. */
    tl_noise_key noise;
} tl_act;

typedef struct tl_prepare {
    tl_head head;
    double dt_secs;
    tl_view view;             /* The world before the step. */
    tl_command_slice commands; /* What each robot is told, in the order of their numbers. */
    tl_kick_slice kicks;       /* The kicks that come, in their order; TL_ORDER_REFUSE_KICK names one by its place here. */
    tl_data_slice motion_data; /* One for each robot: the motion data that `create` named (tl_write_game), NAN where it has none. */
    tl_game game;
    tl_noise_key noise;
} tl_prepare;

typedef struct tl_judge {
    tl_head head;
    double dt_secs;
    tl_view view;             /* The world after the step. */
    tl_contact_slice contacts; /* The touches that began or ceased in this step. */
    tl_waypoint_slice waypoints; /* Where balls were within the step, in the order of the moments. */
    tl_data_slice motion_data; /* As in tl_prepare, after the step. */
    tl_game game;
    tl_text_slice commands;    /* Commands from outside, one in a line. */
    tl_noise_key noise;
} tl_judge;

typedef struct tl_reply {
    tl_head head;
    tl_text_buffer message; /* What there is to say of a failure; cut off at its cap. */
} tl_reply;

typedef struct tl_text_reply {
    tl_head head;
    tl_text_buffer message;
    tl_text_buffer text;
} tl_text_reply;

typedef struct tl_instance tl_instance; /* Yours: the server knows only its address. */

typedef struct tl_created {
    tl_head head;
    tl_text_buffer message;
    tl_instance *instance; /* NULL unless the status is TL_OK. */
    tl_text_buffer text;     /* The instance's description, or with TL_SETUP what is wrong with the parameters; JSON. */
} tl_created;

typedef struct tl_state_reply {
    tl_head head;
    tl_text_buffer message;
    tl_byte_buffer state; /* In and out. */
} tl_state_reply;

typedef struct tl_motion_reply {
    tl_head head;
    tl_text_buffer message;
    tl_byte_buffer state; /* In and out. */
    tl_motion_output output;
} tl_motion_reply;

typedef struct tl_quantised_reply {
    tl_head head;
    tl_text_buffer message;
    tl_quantised_buffer quantised; /* Comes with `len` zeros, one for each integer of the layout, and goes with as many. */
} tl_quantised_reply;

typedef struct tl_orders_reply {
    tl_head head;
    tl_text_buffer message;
    tl_byte_buffer state;    /* In and out. */
    tl_order_buffer records; /* Comes empty. */
    tl_text_buffer text;     /* Comes empty: the texts of the orders. */
} tl_orders_reply;

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* `describe`, `create`, `destroy` and the function of the plugin's kind are needed; the others may be NULL.
 * Without `initial_state` the plugin remembers nothing. */
typedef struct touchline_plugin {
    uint32_t interface_version; /* TL_INTERFACE_VERSION */
    uint32_t kind;              /* TL_KIND_... */
    uint32_t size;              /* sizeof(touchline_plugin) */
    uint32_t reserved;          /* 0 */
    /* Gives JSON: name, kind, version, summary, params_schema (tl_describe writes it). The instance is NULL. */
    int32_t (*describe)(const tl_instance *, const tl_nothing *, tl_text_reply *);
    /* Makes an instance and gives its description as JSON. The instance argument is NULL.
     * Motion: {"dimensions", "data"}. Sensor: {"type", "layout", "stateless", "data"}, and {"serves_all": true} if one instance may serve
     * all robots that have it alike, whatever their names, {"deaf": true} if it has a state and never looks at its inbox. Player: the indices of the sensors that it
     * reads. Referee: its words of the game, or null. (tl_write_motion, tl_write_sensor, tl_write_wanted, tl_write_game,
     * tl_write_nothing) */
    int32_t (*create)(const tl_instance *, const tl_create *, tl_created *);
    /* Ends an instance. It is gone whatever the status says. Nobody else calls it then. */
    int32_t (*destroy)(const tl_instance *, const tl_nothing *, tl_reply *);
    /* Gives the state before the first call. */
    int32_t (*initial_state)(const tl_instance *, const tl_nothing *, tl_state_reply *);
    /* Motion: what the robot would do over the next step if nothing were in its way. */
    int32_t (*advance_motion)(const tl_instance *, const tl_motion_advance *, tl_motion_reply *);
    /* Sensor: integrates one step. Never called if the sensor says that it is stateless. */
    int32_t (*advance_sensor)(const tl_instance *, const tl_sensor_advance *, tl_state_reply *);
    /* Sensor: reads the world. */
    int32_t (*generate)(const tl_instance *, const tl_generate *, tl_quantised_reply *);
    /* Player: senses and acts. */
    int32_t (*act)(const tl_instance *, const tl_act *, tl_orders_reply *);
    /* Referee: looks at what the robots want before the physics of a step. Needed if `create` says "prepares". */
    int32_t (*prepare)(const tl_instance *, const tl_prepare *, tl_orders_reply *);
    /* Referee: judges one step. */
    int32_t (*judge)(const tl_instance *, const tl_judge *, tl_orders_reply *);
} touchline_plugin;

/* The one function of a plugin's library. */
TL_EXPORT const touchline_plugin *touchline_plugin_v8(void);

/* Leaves a function if its blocks are not what this header says: its first line. */
#define TL_CHECK(input, output)                                                                                      \
    do {                                                                                                             \
        if ((input) == NULL || (output) == NULL || (input)->head.size < sizeof *(input) ||                           \
            (output)->head.size < sizeof *(output) || (input)->head.version != TL_INTERFACE_VERSION ||               \
            (output)->head.version != TL_INTERFACE_VERSION)                                                          \
            return TL_BAD_BLOCK;                                                                                     \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
