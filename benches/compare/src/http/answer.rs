//! Where an answer of HTTP ends.

use memchr::memmem::find;

/// A whole answer.
pub struct Answer {
    pub status: u16,
    /// How many bytes it has.
    pub length: usize,
    head: usize,
}

impl Answer {
    /// The answer that the bytes begin with; `None` as long as it is not whole.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let head = find(bytes, b"\r\n\r\n")? + 4;
        let status = std::str::from_utf8(bytes.get(9..12)?).ok()?.parse().ok()?;
        let header = |name: &[u8]| {
            bytes[..head].split(|byte| *byte == b'\n').find_map(|line| {
                let (start, value) = line.split_at_checked(name.len())?;
                start.eq_ignore_ascii_case(name).then(|| value.trim_ascii())
            })
        };
        let length = if header(b"transfer-encoding:").is_some() {
            head + chunks(&bytes[head..])?
        } else {
            let length = header(b"content-length:")
                .map_or(Some(0), |value| std::str::from_utf8(value).ok()?.parse().ok())?;
            head + length
        };
        (bytes.len() >= length).then_some(Self { status, length, head })
    }

    pub fn body<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.head..self.length]
    }
}

/// How many bytes the chunks of a body have, once the last is there.
fn chunks(body: &[u8]) -> Option<usize> {
    let mut place = 0;
    loop {
        let line = find(&body[place..], b"\r\n")?;
        let size = std::str::from_utf8(&body[place..place + line]).ok()?;
        let size = usize::from_str_radix(size, 16).ok()?;
        place += line + 2 + size + 2;
        if body.len() < place {
            return None;
        }
        if size == 0 {
            return Some(place);
        }
    }
}
