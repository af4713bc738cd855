//! Numbers of sensors that their robot's player or client sets, such as a view's width. [S, R3]

use crate::command::CommandError;
use crate::world::World;
use touchline_plugin_api::container::SensorCatalogue;

impl World {
    /// Sets a number of a sensor, by indices, when the command arrives.
    pub(crate) fn set_sensor(
        &mut self,
        index: usize,
        sensor: usize,
        datum: usize,
        value: f64,
    ) -> Result<(), CommandError> {
        let identity = &self.state.robots[index].identity;
        let catalogue = &identity.description.sensors;
        let description = catalogue.sensors.get(sensor);
        let Some((description, known)) = description.and_then(|of| Some((of, of.data.get(datum)?))) else {
            let sensor = description.map_or_else(|| sensor.to_string(), |description| description.id.clone());
            return Err(nothing_to_set(catalogue, &sensor, &datum.to_string()));
        };
        if !known.allows(value) {
            return Err(CommandError::SensorDatumOutOfRange {
                datum: format!("{}.{}", description.id, known.name),
                value,
                allowed: format!("from {} to {} ({})", known.min, known.max, known.unit),
            });
        }
        let place = identity.sensors[sensor].data.start + datum;
        self.set_sensor_datum(index, place, value);
        Ok(())
    }

    /// The same, by names.
    pub(crate) fn set_sensor_named(
        &mut self,
        index: usize,
        sensor: &str,
        datum: &str,
        value: f64,
    ) -> Result<(), CommandError> {
        let catalogue = &self.state.robots[index].identity.description.sensors;
        let places = catalogue.sensors.iter().enumerate().find(|(_, of)| of.id == sensor).and_then(
            |(place, description)| {
                Some((place, description.data.iter().position(|known| known.name == datum)?))
            },
        );
        let (sensor, datum) = places.ok_or_else(|| nothing_to_set(catalogue, sensor, datum))?;
        self.set_sensor(index, sensor, datum, value)
    }
}

fn nothing_to_set(catalogue: &SensorCatalogue, sensor: &str, datum: &str) -> CommandError {
    let of = catalogue.sensors.iter();
    let known: Vec<String> =
        of.flat_map(|of| of.data.iter().map(move |datum| format!("{}.{}", of.id, datum.name))).collect();
    let known = if known.is_empty() { "nothing".into() } else { known.join(", ") };
    CommandError::NoSuchSensorDatum { datum: format!("{sensor}.{datum}"), known }
}
