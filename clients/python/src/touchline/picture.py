"""Pictures of a world, drawn with numpy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_FLOOR = (38, 110, 56)
_MARGIN_M = 0.2


def draw(shapes: list[tuple[str, int, list[float]]], *, width: int) -> NDArray[np.uint8]:
    """Draws shapes in their order, from above, x to the right and y up: [height, width, 3]."""
    low, high = _extent(shapes)
    scale = width / (high[0] - low[0])
    height = max(1, round((high[1] - low[1]) * scale))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = _FLOOR
    # The centres of the pixels, metres.
    x = low[0] + (np.arange(width) + 0.5) / scale
    y = high[1] - (np.arange(height) + 0.5) / scale
    for kind, colour, numbers in shapes:
        (left, bottom), (right, top) = _box(kind, numbers)
        # A line on the field may be thinner than a pixel: it shows as one.
        grow = 0.5 / scale
        columns = slice(*np.searchsorted(x, (left - grow, right + grow)))
        rows = slice(*np.searchsorted(-y, (-top - grow, -bottom + grow)))
        u, v = x[columns][None, :], y[rows][:, None]
        inside = _inside(kind, numbers, u, v, grow)
        image[rows, columns][inside] = (colour >> 16 & 255, colour >> 8 & 255, colour & 255)
    return image


def _box(kind: str, numbers: list[float]) -> tuple[tuple[float, float], tuple[float, float]]:
    if kind == "ellipse":
        x, y, half_x, half_y, cos, sin = numbers
        reach_x, reach_y = np.hypot(half_x * cos, half_y * sin), np.hypot(half_x * sin, half_y * cos)
        return (x - reach_x, y - reach_y), (x + reach_x, y + reach_y)
    xs, ys = numbers[0::2], numbers[1::2]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _extent(shapes: list[tuple[str, int, list[float]]]) -> tuple[tuple[float, float], tuple[float, float]]:
    boxes = [_box(kind, numbers) for kind, _, numbers in shapes] or [((-1.0, -1.0), (1.0, 1.0))]
    low = (min(box[0][0] for box in boxes) - _MARGIN_M, min(box[0][1] for box in boxes) - _MARGIN_M)
    high = (max(box[1][0] for box in boxes) + _MARGIN_M, max(box[1][1] for box in boxes) + _MARGIN_M)
    return low, high


def _inside(kind: str, numbers: list[float], u: Any, v: Any, grow: float) -> Any:
    if kind == "ellipse":
        x, y, half_x, half_y, cos, sin = numbers
        along, across = cos * (u - x) + sin * (v - y), cos * (v - y) - sin * (u - x)
        return (along / (half_x + grow)) ** 2 + (across / (half_y + grow)) ** 2 <= 1.0
    corners = np.asarray(numbers).reshape(-1, 2)
    if kind == "line":
        (ax, ay), (bx, by) = corners
        length = (bx - ax) ** 2 + (by - ay) ** 2 or 1.0
        share = np.clip(((u - ax) * (bx - ax) + (v - ay) * (by - ay)) / length, 0.0, 1.0)
        return np.hypot(u - ax - share * (bx - ax), v - ay - share * (by - ay)) <= 2.0 * grow
    following = np.roll(corners, -1, axis=0)
    area = float(np.sum(corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]))
    inside = np.ones(np.broadcast_shapes(u.shape, v.shape), np.bool_)
    for (ax, ay), (bx, by) in zip(corners, following, strict=True):
        side = ((bx - ax) * (v - ay) - (by - ay) * (u - ax)) * (1.0 if area >= 0.0 else -1.0)
        inside &= side >= -grow * np.hypot(bx - ax, by - ay)
    return inside
