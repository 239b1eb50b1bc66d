//! What travels with a client and comes back: sealed, so that it can neither be read nor changed on the way.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

/// The keys of a server: the first seals, each of them opens.
pub(crate) struct KeyRing(Vec<XChaCha20Poly1305>);

/// How long a key is, in bytes.
const KEY: usize = 32;
/// How long what makes each sealing differ is, in bytes (XChaCha20).
const NONCE: usize = 24;

impl KeyRing {
    /// Reads keys: each 32 bytes in base64, or 64 hexadecimal digits.
    pub(crate) fn read(texts: &[String]) -> Result<Self, Vec<String>> {
        let mut keys = Vec::new();
        let mut problems = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            match key(text.trim()) {
                Some(bytes) => keys.push(XChaCha20Poly1305::new(&bytes)),
                // Whatever it is, it may be nearly a secret.
                None => problems.push(format!(
                    "state key {} is no key: a key is 32 bytes in base64, as `openssl rand -base64 32` prints",
                    at + 1
                )),
            }
        }
        if problems.is_empty() { Ok(Self(keys)) } else { Err(problems) }
    }

    /// One key that nobody else has.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = Key::default();
        getrandom::fill(&mut bytes)?;
        Ok(Self(vec![XChaCha20Poly1305::new(&bytes)]))
    }

    /// No key: what is sealed opens nowhere.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// Seals bytes together with what they are about, which has to be the same when they are opened.
    pub(crate) fn seal(&self, bytes: &[u8], about: &[u8]) -> Result<String, getrandom::Error> {
        let mut nonce = XNonce::default();
        getrandom::fill(&mut nonce)?;
        let mut sealed = nonce.to_vec();
        // Fails for messages of more than 256 GiB, and where there is no key.
        let payload = Payload { msg: bytes, aad: about };
        sealed.extend(self.0.first().and_then(|key| key.encrypt(&nonce, payload).ok()).unwrap_or_default());
        Ok(BASE64_URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Opens what was sealed by one of the keys; none for anything else.
    pub(crate) fn open(&self, sealed: &str, about: &[u8]) -> Option<Vec<u8>> {
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, message) = sealed.split_at_checked(NONCE)?;
        let nonce = XNonce::from_slice(nonce);
        self.0.iter().find_map(|key| key.decrypt(nonce, Payload { msg: message, aad: about }).ok())
    }
}

fn key(text: &str) -> Option<Key> {
    let digits = text.as_bytes();
    if digits.len() == 2 * KEY && digits.iter().all(u8::is_ascii_hexdigit) {
        let bytes = digits
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()));
        return bytes.collect::<Option<Vec<u8>>>().map(|bytes| *Key::from_slice(&bytes));
    }
    [BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD]
        .iter()
        .find_map(|alphabet| alphabet.decode(text).ok())
        .filter(|bytes| bytes.len() == KEY)
        .map(|bytes| *Key::from_slice(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(keys: &[&str]) -> KeyRing {
        KeyRing::read(&keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    const FIRST: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const SECOND: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

    #[test]
    fn what_is_sealed_opens_with_the_same_keys_and_subject_alone() {
        let sealed = ring(&[FIRST]).seal(b"state", b"about").unwrap();
        assert_eq!(ring(&[FIRST]).open(&sealed, b"about").unwrap(), b"state");
        assert_eq!(ring(&[SECOND, FIRST]).open(&sealed, b"about").unwrap(), b"state", "keys are rotated");
        assert!(ring(&[SECOND]).open(&sealed, b"about").is_none());
        assert!(ring(&[FIRST]).open(&sealed, b"other").is_none());
        assert!(KeyRing::random().unwrap().open(&sealed, b"about").is_none());
        assert_ne!(sealed, ring(&[FIRST]).seal(b"state", b"about").unwrap());
        for at in 0..sealed.len() {
            let mut tampered = sealed.clone().into_bytes();
            tampered[at] = if tampered[at] == b'A' { b'B' } else { b'A' };
            assert!(ring(&[FIRST]).open(std::str::from_utf8(&tampered).unwrap(), b"about").is_none(), "{at}");
        }
        for garbage in ["", "x", "AAAA", "=", "é"] {
            assert!(ring(&[FIRST]).open(garbage, b"about").is_none());
        }
    }

    #[test]
    fn what_is_no_key_is_told_by_its_place() {
        let told = KeyRing::read(&[FIRST.to_owned(), "short".to_owned()]).err().unwrap();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("state key 2 is no key"), "{told:?}");
    }
}
