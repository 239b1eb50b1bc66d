//! Memory after few calls and after many.

use crate::http::{drive, requests};
use crate::paired::Turns;
use crate::process::{Listening, resident};
use crate::scene::SCENES;
use crate::server::OURS;

pub fn compare(_: &Turns) -> anyhow::Result<()> {
    println!("\n| calls | RSS KiB |\n| --- | --- |");
    let server = Listening::start(OURS.command(&[]))?;
    let mut calls = 0;
    for more in [10_000, 90_000, 900_000] {
        drive(&server, requests(&SCENES[0], server.address, 16)?, more)?;
        calls += more;
        println!("| {calls} | {} |", resident(server.id())?);
    }
    Ok(())
}
