//! What there is to draw of a world.

use pyo3::prelude::*;
use pyo3::types::PyList;
use touchline_plugin_api::view::ShapeKind;
use touchline_sim::World;

/// A list of `(kind, colour, numbers)`, in the order in which they are drawn: what is flat, then the rest; metres.
///
/// Of a `polygon` the numbers are the corners, `x` and `y` in turn; of an `ellipse` the centre, half its extents, and the
/// cosine and sine of its heading. A robot has a line from its centre to its front, too: kind `line`, both ends.
pub(crate) fn shapes<'py>(py: Python<'py>, world: &World) -> PyResult<Bound<'py, PyList>> {
    let view = world.view();
    let list = PyList::empty(py);
    for solid in [0, 1] {
        for shape in view.shapes.iter().filter(|shape| shape.solid == solid) {
            let (kind, numbers) = match shape.kind() {
                ShapeKind::Rectangle => ("polygon", shape.rectangle_corners().concat()),
                ShapeKind::Triangle => {
                    ("polygon", [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c].concat())
                }
                ShapeKind::Ellipse => (
                    "ellipse",
                    vec![shape.x_m, shape.y_m, shape.half_x_m, shape.half_y_m, shape.cos, shape.sin],
                ),
            };
            list.append((kind, shape.colour, numbers))?;
        }
    }
    for robot in view.robots() {
        let Some(now) = world.robot(robot.number) else { continue };
        let (pose, (sin, cos)) = (now.pose(), now.heading());
        let front = [pose.x_m + robot.radius_m * cos, pose.y_m + robot.radius_m * sin];
        list.append(("line", 0x0020_2020_u32, vec![pose.x_m, pose.y_m, front[0], front[1]]))?;
    }
    Ok(list)
}
