/* All helpers for plugins written in C; each header says what it is for. Header only: nothing to link but libm. */
#ifndef TOUCHLINE_HELPERS_H
#define TOUCHLINE_HELPERS_H

#include <touchline/geometry.h>
#include <touchline/json.h>
#include <touchline/noise.h>
#include <touchline/orders.h>
#include <touchline/params.h>
#include <touchline/plugin.h>
#include <touchline/rays.h>
#include <touchline/sensor.h>
#include <touchline/view.h>

#endif
