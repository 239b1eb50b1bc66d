//! A weather service: structured output, an enum argument, a mirrored header, a resource template, a prompt with
//! completion, and state that handlers share.

mod atlas;
#[cfg(test)]
mod tests;

use chrono::NaiveDate;
use mcp_runtime::prelude::*;

use crate::atlas::Atlas;

/// The unit of a temperature.
#[derive(Clone, Copy, mcp::Data)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// The weather at one place on one day.
#[derive(mcp::Output)]
struct Report {
    city: String,
    /// The highest temperature of the day.
    high: f64,
    /// The lowest temperature of the day.
    low: f64,
    unit: Unit,
    sky: String,
}

/// Forecast the weather of a city.
///
/// Knows the cities that `weather://cities` lists.
#[mcp::tool(title = "Weather forecast", read_only, open_world = false)]
async fn forecast(
    /// The region whose stations are asked, such as `eu`.
    #[x_mcp_header("Region")]
    region: String,
    /// The name of the city, in English.
    city: String,
    /// How many days ahead to look.
    #[arg(default = 1, range = 1..=7)]
    days: u32,
    /// The unit of the answer.
    #[arg(default = Unit::Celsius)]
    unit: Unit,
    atlas: mcp::State<Atlas>,
    ctx: mcp::Context,
) -> Result<mcp::Json<Vec<Report>>, mcp::ToolError> {
    let city = atlas.city(&region, &city)?;
    let mut reports = Vec::new();
    for day in 0..days {
        ctx.progress(day).of(days).message(format!("day {}", day + 1)).await;
        let weather = city.on_day(day);
        let (high, low) = match unit {
            Unit::Celsius => (weather.high, weather.low),
            Unit::Fahrenheit => (weather.high * 1.8 + 32.0, weather.low * 1.8 + 32.0),
        };
        reports.push(Report { city: city.name.to_owned(), high, low, unit, sky: weather.sky.to_owned() });
    }
    Ok(mcp::Json(reports))
}

/// The cities that can be asked for.
#[mcp::resource("weather://cities", mime_type = "text/plain")]
fn cities(atlas: mcp::State<Atlas>) -> String {
    atlas.names().collect::<Vec<_>>().join("\n")
}

/// What the weather was in a city on a day.
#[mcp::resource("weather://history/{city}/{date}", mime_type = "application/json")]
async fn history(
    city: String,
    date: NaiveDate,
    atlas: mcp::State<Atlas>,
) -> Result<mcp::Json<Report>, mcp::ResourceError> {
    let city = atlas.find(&city).ok_or_else(mcp::ResourceError::not_found)?;
    let weather = city.on_date(date);
    Ok(mcp::Json(Report {
        city: city.name.to_owned(),
        high: weather.high,
        low: weather.low,
        unit: Unit::Celsius,
        sky: weather.sky.to_owned(),
    }))
}

/// Plan what to wear.
#[mcp::prompt]
async fn what_to_wear(
    /// Where the person goes.
    city: String,
    /// Where they come from, if it matters.
    from: Option<String>,
) -> mcp::Prompt {
    let from = from.map(|from| format!(" I am used to the climate of {from}.")).unwrap_or_default();
    mcp::Prompt::new()
        .user(format!("I travel to {city}.{from} Look up the forecast and tell me what to wear."))
}

#[mcp::completion(prompt = "what_to_wear", argument = "city")]
async fn complete_city(typed: String, atlas: mcp::State<Atlas>) -> Vec<String> {
    atlas.starting_with(&typed)
}

#[mcp::completion(resource = "weather://history/{city}/{date}", argument = "city")]
async fn complete_history_city(typed: String, atlas: mcp::State<Atlas>) -> Vec<String> {
    atlas.starting_with(&typed)
}

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    mcp_runtime::serve().instructions("Ask for forecasts by region and city.").state_with(Atlas::open).await
}
