//! Turns, and what comes of them: medians, and ratios within one turn with their spread.

use anyhow::bail;

use crate::server::Server;

/// How long is measured, and whom.
pub struct Turns {
    pub rounds: usize,
    pub messages: usize,
    pub only: Vec<String>,
}

impl Turns {
    /// The servers of a comparison that are there; the first is the one that others are compared to.
    pub fn of(&self, servers: &[Server]) -> anyhow::Result<Vec<Server>> {
        let mut taken = Vec::new();
        for (place, server) in servers.iter().enumerate() {
            let wanted =
                place == 0 || self.only.is_empty() || self.only.iter().any(|name| name == server.name);
            if wanted && server.is_there() {
                taken.push(*server);
            } else if wanted && place == 0 {
                bail!("`{}` has not been built", server.name);
            } else if wanted {
                eprintln!("left out, since it is not there: {}", server.name);
            }
        }
        Ok(taken)
    }

    pub fn messages(&self, server: &Server) -> usize {
        (self.messages / server.slowness).max(20)
    }
}

/// The numbers in another order each time.
pub fn shuffled(many: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..many).collect();
    fastrand::shuffle(&mut order);
    order
}

pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        many if many % 2 == 1 => values[many / 2],
        many => (values[many / 2 - 1] + values[many / 2]) / 2.0,
    }
}

/// The median of what each turn costs against another server's same turn, with the least and the most of them.
pub fn ratio(of: &[f64], to: &[f64]) -> String {
    let ratios: Vec<f64> = of.iter().zip(to).map(|(of, to)| of / to).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    format!("{:.3} ({least:.2}–{most:.2})", median(ratios))
}

/// The 1-minute load of the machine.
pub fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}
