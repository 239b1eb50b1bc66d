//! Names of mirrored headers: what follows `Mcp-Param-`.

/// The header that an argument is mirrored to by default: `tenant_id` gives `Tenant-Id`.
pub fn spelled(argument: &str) -> String {
    let words = argument.split('_').filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    });
    words.collect::<Vec<_>>().join("-")
}

/// What keeps a text from being a token of RFC 9110 (section 5.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoToken {
    /// It is empty.
    Empty,
    /// It holds a character that tokens do not.
    Holds(char),
}

/// Whether a text is a token.
pub fn token(text: &str) -> Result<(), NoToken> {
    if text.is_empty() {
        return Err(NoToken::Empty);
    }
    let allowed = |letter: &char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(*letter);
    text.chars().find(|letter| !allowed(letter)).map_or(Ok(()), |letter| Err(NoToken::Holds(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_hyphens() {
        for (argument, header) in [
            ("region", "Region"),
            ("tenant_id", "Tenant-Id"),
            ("_a__b_", "A-B"),
            ("tenantId", "TenantId"),
            ("type", "Type"),
        ] {
            assert_eq!(spelled(argument), header);
        }
    }

    #[test]
    fn only_tokens_pass() {
        assert_eq!(token("X-Tenant_9~"), Ok(()));
        assert_eq!(token(""), Err(NoToken::Empty));
        assert_eq!(token("my region"), Err(NoToken::Holds(' ')));
        assert_eq!(token("a\r\n"), Err(NoToken::Holds('\r')));
        assert_eq!(token("Größe"), Err(NoToken::Holds('ö')));
        assert_eq!(token("a:b"), Err(NoToken::Holds(':')));
    }
}
