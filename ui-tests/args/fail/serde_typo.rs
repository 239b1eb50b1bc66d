// mistakes: 4
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
#[serde(renam_all = "camelCase")]
struct Target {
    path: String,
}

#[derive(mcp::Data)]
struct Place {
    #[serde(renme = "where")]
    path: String,
}

#[derive(mcp::Args)]
struct Size {
    #[schemars(rang(min = 1))]
    width: u32,
}

#[derive(mcp::Output)]
#[serde(tagged = "kind")]
enum Shape {
    Round,
    Square,
}

#[mcp::tool]
fn draw(target: Target, place: Place, size: Size) -> mcp::Json<Shape> {
    let _ = (target.path, place.path, size.width);
    mcp::Json(Shape::Round)
}

fn main() {
    let _ = Shape::Square;
}
