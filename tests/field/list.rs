//! Which cases there are, and where each is: a test, or a feature that is not there.

/// The modules with tests.
const MODULES: &[&str] = &[
    include_str!("arguments.rs"),
    include_str!("dialects.rs"),
    include_str!("framing.rs"),
    include_str!("http.rs"),
    include_str!("ids.rs"),
    include_str!("panics.rs"),
    include_str!("resources.rs"),
    include_str!("results.rs"),
    include_str!("schemas.rs"),
    include_str!("sessions.rs"),
    include_str!("streams.rs"),
];

/// Every case.
const CASES: &[u8] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 18, 19, 21, 22, 24, 25, 26, 27, 28, 29, 31, 32, 34,
    35, 36, 38, 39, 41, 42, 43, 44, 46, 48, 49, 51, 53, 54, 55, 56, 58, 59, 61, 62, 64, 65, 67, 68, 70, 73,
    74, 75, 76, 77,
];

/// Cases of features that this server does not have.
const WAITING: &[(u8, &str)] = &[
    (25, "authorization: there is no metadata of protected resources"),
    (68, "tasks: there are none"),
    (73, "tasks: there is no `ttl`"),
];

#[test]
fn every_case_is_a_test_or_waits_for_a_feature() {
    let mut wrong = Vec::new();
    for case in CASES {
        let name = format!("fn fc_{case:02}_");
        let tested = MODULES.iter().any(|module| module.contains(&name));
        let waits = WAITING.iter().any(|(waiting, _)| waiting == case);
        if tested == waits {
            wrong.push(format!("FC-{case:02} {}", if tested { "is tested and waits" } else { "is nowhere" }));
        }
    }
    for module in MODULES {
        for name in module.split("fn fc_").skip(1) {
            let case = name.split('_').next().and_then(|digits| digits.parse().ok()).unwrap_or_default();
            if !CASES.contains(&case) {
                wrong.push(format!("there is no FC-{case:02}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
