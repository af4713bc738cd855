// How a call ended, and why.
//
// Written by cbindgen from the Rust sources: `cargo run -p touchline-client-c --example headers`.
//
// The rules of all functions of libtouchline_client:
//
// - They return TOUCHLINE_STATUS_OK or say how they failed; touchline_last_error says why, for each handle and thread.
// - No exception, no panic and no signal comes out of them. A pointer that must not be NULL is checked.
// - Texts are UTF-8 and end in NUL. What a function is given it does not keep; what it gives belongs to the handle it
//   came from, unless it says that it is the caller's.
// - Any thread may call any function with any handle at any time, but no handle may be used after its end
//   (touchline_close, touchline_..._free), nor be ended twice.
// - SI units and radians; x forward, y left, counter-clockwise. In the world the origin is the field's centre.

#ifndef TOUCHLINE_BASE_H
#define TOUCHLINE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A robot of one's own in a running world: touchline_connect to touchline_close.
typedef struct TouchlineClient TouchlineClient;
/// All its sensors at one and the same step, unchanging; may outlive the client.
typedef struct TouchlineSensors TouchlineSensors;
/// Radio messages that it heard.
typedef struct TouchlineMessages TouchlineMessages;
/// The server's answer to touchline_ask.
typedef struct TouchlineAnswer TouchlineAnswer;
/// Follows the robot: touchline_localiser_new in localisation.h; may outlive the client.
typedef struct TouchlineLocaliser TouchlineLocaliser;

/// How a call ended. `touchline_last_error` says in words what went wrong.
enum TouchlineStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /// All is well.
    TOUCHLINE_STATUS_OK = 0,
    /// A pointer that must be there is NULL.
    TOUCHLINE_STATUS_NULL_ARGUMENT = 1,
    /// A text is not UTF-8 or has line ends in it, or a number is not allowed.
    TOUCHLINE_STATUS_BAD_ARGUMENT = 2,
    /// No server answers at the address.
    TOUCHLINE_STATUS_NO_SERVER = 3,
    /// What answers is no Touchline server, or speaks another version.
    TOUCHLINE_STATUS_PROTOCOL = 4,
    /// The robot file cannot be read.
    TOUCHLINE_STATUS_ROBOT_FILE = 5,
    /// The server refused the command: `touchline_last_error_code` is its code.
    TOUCHLINE_STATUS_REFUSED = 6,
    /// The connection has ended.
    TOUCHLINE_STATUS_CLOSED = 7,
    /// Nothing came in time.
    TOUCHLINE_STATUS_TIMEOUT = 8,
    /// The robot has no such sensor, feature or field; the message lists what there is.
    TOUCHLINE_STATUS_NOT_FOUND = 9,
    /// The sensor was not read yet, was not selected, or has failed.
    TOUCHLINE_STATUS_NO_READING = 10,
    /// The feature's integers are not what this data object is made of.
    TOUCHLINE_STATUS_WRONG_FORMAT = 11,
    /// The array is too small; the length that it needs was written.
    TOUCHLINE_STATUS_TOO_SMALL = 12,
    /// A mistake in the library itself.
    TOUCHLINE_STATUS_INTERNAL = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TouchlineStatus TouchlineStatus;
#else
typedef int32_t TouchlineStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// What went wrong in the last call that failed, of this thread, with this client: for people. An empty text if none
/// did.
///
/// With NULL: in the last call that had no client, such as `touchline_connect`, or one that was given NULL. The text
/// lives until the next such call fails in this thread, or the client is closed. A wrong robot file is told with all
/// its problems, one in each line.
const char *touchline_last_error(const TouchlineClient *client);

/// The code with which the server refused, such as `sim/wrong-dimensions`; empty if the last failure was another one.
///
/// Lives as long as the text of `touchline_last_error`.
const char *touchline_last_error_code(const TouchlineClient *client);

/// `touchline_last_error` of the client from which the sensors are, though it may be closed. Once it is, a thread keeps
/// the text of its next failure until calls with 64 other handles have failed in it.
const char *touchline_sensors_last_error(const TouchlineSensors *sensors);

/// A status in words, such as `no server`. Lives for ever.
const char *touchline_status_text(int32_t status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHLINE_BASE_H */
