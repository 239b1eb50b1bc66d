//! The cities that this service knows, and their weather, which is made up.

use std::sync::Arc;

use chrono::{Datelike, NaiveDate};

/// The cities, shared by all handlers.
#[derive(Clone)]
pub struct Atlas {
    cities: Arc<Vec<City>>,
}

/// One city.
pub struct City {
    pub name: &'static str,
    region: &'static str,
    warmth: f64,
}

/// The weather of one day, in degrees Celsius.
pub struct Weather {
    pub high: f64,
    pub low: f64,
    pub sky: &'static str,
}

/// A city that is not in the atlas.
#[derive(Debug)]
pub struct UnknownCity {
    name: String,
    known: String,
}

impl std::fmt::Display for UnknownCity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no station reports for {}", self.name)?;
        if self.known.is_empty() { Ok(()) } else { write!(f, "; there are {}", self.known) }
    }
}

impl std::error::Error for UnknownCity {}

impl Atlas {
    /// Opens the atlas. A real one would be read from somewhere, which can fail.
    pub async fn open() -> Result<Self, std::io::Error> {
        let city = |name, region, warmth| City { name, region, warmth };
        let cities = vec![
            city("Berlin", "eu", 10.0),
            city("Bergen", "eu", 8.0),
            city("Lisbon", "eu", 18.0),
            city("Nairobi", "africa", 22.0),
            city("Osaka", "asia", 17.0),
        ];
        Ok(Self { cities: Arc::new(cities) })
    }

    /// The city of that name in that region.
    pub fn city(&self, region: &str, name: &str) -> Result<&City, UnknownCity> {
        self.find(name).filter(|city| city.region == region).ok_or_else(|| UnknownCity {
            name: name.to_owned(),
            known: self
                .cities
                .iter()
                .filter(|city| city.region == region)
                .map(|city| city.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// The city of that name.
    pub fn find(&self, name: &str) -> Option<&City> {
        self.cities.iter().find(|city| city.name.eq_ignore_ascii_case(name))
    }

    /// The names of all cities.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.cities.iter().map(|city| city.name)
    }

    /// The names that begin with what was typed.
    pub fn starting_with(&self, typed: &str) -> Vec<String> {
        let typed = typed.to_lowercase();
        self.names().filter(|name| name.to_lowercase().starts_with(&typed)).map(str::to_owned).collect()
    }
}

impl City {
    /// The weather that many days ahead.
    pub fn on_day(&self, day: u32) -> Weather {
        self.weather(day)
    }

    /// The weather on a date.
    pub fn on_date(&self, date: NaiveDate) -> Weather {
        self.weather(date.ordinal())
    }

    fn weather(&self, day: u32) -> Weather {
        let swing = f64::from(day % 7) - 3.0;
        let sky = ["clear", "cloudy", "rain"][(day % 3) as usize];
        Weather { high: self.warmth + swing + 4.0, low: self.warmth + swing - 4.0, sky }
    }
}
