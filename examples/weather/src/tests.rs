//! The tools as their clients see them, in both eras, and a file that shows in review what changes for them.

use mcp_runtime::testing::{self, Testing};
use serde_json::{Value, json};

use crate::Atlas;

fn server() -> mcp_runtime::Server {
    mcp_runtime::server().state_with(Atlas::open)
}

fn client() -> Testing {
    testing::client_of(server())
}

#[tokio::test]
async fn forecasts_are_given_in_the_wanted_unit() {
    for era in testing::eras() {
        let client = client().era(era).await;
        let berlin = json!({ "region": "eu", "city": "Berlin", "days": 2, "unit": "fahrenheit" });
        let reports: Vec<Value> = client.call("forecast", berlin).await.output();
        assert_eq!(reports.len(), 2);
        assert!(reports.iter().all(|report| report["unit"] == "fahrenheit"), "{reports:?}");
        client.call("forecast", json!({ "region": "eu", "city": "Atlantis" })).await.fails("Atlantis");
    }
}

#[tokio::test]
async fn history_is_kept_of_the_cities_that_are_listed() {
    for era in testing::eras() {
        let client = client().era(era).await;
        let cities = client.read("weather://cities").await.text();
        let city = cities.lines().next().expect("there are cities");
        let day = client.read(&format!("weather://history/{city}/2026-01-01")).await.text();
        let day: Value = serde_json::from_str(&day).expect("it is JSON");
        assert_eq!(day["city"], city);
    }
}

#[test]
fn what_clients_see_is_committed() {
    testing::surface_of(server(), "surface.json");
}
