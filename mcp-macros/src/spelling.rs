//! One spelling for what stands in a URI: the runtime compares in it.

/// The text with nothing encoded that need not be, and hexadecimal digits in upper case. A `%` that no two digits
/// follow stays as it is.
pub fn canonical(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        spelled.push_str(&rest[..at]);
        let digits = rest.get(at + 1..at + 3).filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            spelled.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        match u8::from_str_radix(digits, 16).map(char::from) {
            Ok(meant) if meant.is_ascii_alphanumeric() || "-._~".contains(meant) => spelled.push(meant),
            _ => {
                spelled.push('%');
                spelled.push_str(&digits.to_ascii_uppercase());
            }
        }
        rest = &rest[at + 3..];
    }
    spelled.push_str(rest);
    spelled
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn what_means_the_same_is_spelled_the_same() {
        for (written, spelled) in [
            ("docs/caf%c3%a9/", "docs/caf%C3%A9/"),
            ("%7Euser/%41%2f", "~user/A%2F"),
            ("a%", "a%"),
            ("%2541%zz%4", "%2541%zz%4"),
        ] {
            assert_eq!(canonical(written), spelled);
        }
    }
}
