//! Which sensors and features a client wants: chosen by name, or by what they are. [P5, C4]

use std::fmt;
use touchline_plugin_api::container::{FeatureHandle, Query, SensorCatalogue};

/// One part of a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// `*`: all sensors.
    All,
    /// `laser` or `laser.180DegreeScan`.
    Named(String),
    /// `model=LMS200,type=laser,feature=180DegreeScan`, each part at most once.
    Query(Query),
}

/// What `GET` and `PUSH` name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The selected sensors and features, in the order given.
    pub terms: Vec<Term>,
}

/// A sensor, or one of its features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selected {
    /// Index into the catalogue's sensors.
    pub sensor: usize,
    /// Index into the sensor's features; `None` for all of them in one array.
    pub feature: Option<usize>,
}

/// A part of a selection that no sensor of the robot fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sensor gives {term}; this robot has {}", if features.is_empty() { "none".into() } else { features.join(", ") })]
pub struct UnknownTerm {
    /// The part, as it is written.
    pub term: String,
    /// What there is, as `sensor.feature`.
    pub features: Vec<String>,
}

impl Term {
    /// Reads one word; `None` if it is no term.
    pub fn from_word(word: &str) -> Option<Self> {
        if word == "*" {
            return Some(Self::All);
        }
        if !word.contains('=') {
            return (!word.is_empty()).then(|| Self::Named(word.into()));
        }
        let mut query = Query::default();
        for part in word.split(',') {
            let (key, value) = part.split_once('=').filter(|(_, value)| !value.is_empty())?;
            let place = match key {
                "model" => &mut query.model,
                "type" => &mut query.sensor_type,
                "feature" => &mut query.feature,
                _ => return None,
            };
            if place.replace(value.into()).is_some() {
                return None;
            }
        }
        Some(Self::Query(query))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Named(name) => f.write_str(name),
            Self::Query(query) => {
                let parts =
                    [("model", &query.model), ("type", &query.sensor_type), ("feature", &query.feature)];
                let parts: Vec<_> =
                    parts.iter().filter_map(|(k, v)| v.as_ref().map(|v| format!("{k}={v}"))).collect();
                f.write_str(&parts.join(","))
            }
        }
    }
}

impl Selection {
    /// Selects all sensors of the robot.
    pub fn all() -> Self {
        Self { terms: vec![Term::All] }
    }

    /// What the terms mean on this robot, each sensor and feature once, in the order of the terms.
    ///
    /// A query without a feature name gives whole sensors. A query gives all that it fits, in the order of the
    /// robot file.
    ///
    /// # Errors
    /// When a term fits nothing.
    pub fn resolve(&self, catalogue: &SensorCatalogue) -> Result<Vec<Selected>, UnknownTerm> {
        let mut selected = Vec::new();
        for term in &self.terms {
            let found = find(term, catalogue);
            if found.is_empty() && *term != Term::All {
                let name =
                    |h: FeatureHandle| format!("{}.{}", catalogue.sensor(h).id, catalogue.feature(h).name);
                return Err(UnknownTerm {
                    term: term.to_string(),
                    features: catalogue.all().map(name).collect(),
                });
            }
            for one in found {
                if !selected.contains(&one) {
                    selected.push(one);
                }
            }
        }
        Ok(selected)
    }
}

fn find(term: &Term, catalogue: &SensorCatalogue) -> Vec<Selected> {
    let sensors = || catalogue.sensors.iter().enumerate();
    let whole = |(sensor, _)| Selected { sensor, feature: None };
    match term {
        Term::All => sensors().map(whole).collect(),
        Term::Named(name) => {
            let by_id = sensors().find(|(_, s)| s.id == *name).map(whole);
            let by_feature = || {
                catalogue.all().find(|&h| {
                    let (sensor, feature) = (&catalogue.sensor(h).id, &catalogue.feature(h).name);
                    name.strip_prefix(sensor.as_str()).and_then(|rest| rest.strip_prefix('.'))
                        == Some(feature)
                })
            };
            by_id
                .or_else(|| by_feature().map(|h| Selected { sensor: h.sensor, feature: Some(h.feature) }))
                .into_iter()
                .collect()
        }
        Term::Query(query) => {
            let mut found: Vec<Selected> = catalogue
                .find_all(query)
                .map(|h| Selected { sensor: h.sensor, feature: query.feature.is_some().then_some(h.feature) })
                .collect();
            found.dedup();
            found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::container::{Mount, SensorDescription};
    use touchline_plugin_api::layout::{Feature, Field, Layout};

    fn sensor(id: &str, model: &str, sensor_type: &str, features: &[&str]) -> SensorDescription {
        let field = || vec![Field::unsigned("n", "1", 1.0, &[])];
        SensorDescription {
            id: id.into(),
            model: model.into(),
            sensor_type: sensor_type.into(),
            plugin: sensor_type.into(),
            mount: Mount::default(),
            layout: Layout { features: features.iter().map(|name| Feature::new(name, field())).collect() },
            ..SensorDescription::default()
        }
    }

    /// P5, C4: by name, by what it is, and each once.
    #[test]
    fn features_are_found_by_name_and_by_what_they_are() {
        let catalogue = SensorCatalogue {
            sensors: vec![
                sensor("front.laser", "LMS200", "laser", &["scan", "pose"]),
                sensor("cam", "eye", "camera", &["ball", "goals"]),
                sensor("rear", "LMS200", "laser", &["scan"]),
            ],
        };
        let resolve = |terms: &[&str]| {
            let terms = terms.iter().map(|word| Term::from_word(word).unwrap()).collect();
            Selection { terms }
                .resolve(&catalogue)
                .map(|found| found.into_iter().map(|s| (s.sensor, s.feature)).collect::<Vec<_>>())
        };
        assert_eq!(resolve(&["*"]).unwrap(), [(0, None), (1, None), (2, None)]);
        assert_eq!(resolve(&["rear", "front.laser", "rear"]).unwrap(), [(2, None), (0, None)]);
        assert_eq!(resolve(&["front.laser.pose"]).unwrap(), [(0, Some(1))]);
        assert_eq!(resolve(&["model=LMS200,type=laser"]).unwrap(), [(0, None), (2, None)]);
        assert_eq!(resolve(&["feature=scan"]).unwrap(), [(0, Some(0)), (2, Some(0))]);
        let error = resolve(&["feature=puck"]).unwrap_err().to_string();
        assert!(error.contains("feature=puck") && error.contains("cam.ball"), "{error}");
        assert_eq!(SensorCatalogue::default(), SensorCatalogue { sensors: vec![] });
        assert_eq!(Selection::all().resolve(&SensorCatalogue::default()), Ok(vec![]));
    }

    #[test]
    fn what_is_no_term_is_refused() {
        for word in ["", "model=", "colour=red", "type=a,type=b", "type=a,"] {
            assert_eq!(Term::from_word(word), None, "{word:?}");
        }
    }
}
