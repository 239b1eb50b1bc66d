//! What a completion may return.

use super::Outcome;
use super::into_prompt::IntoFailure;
use crate::protocol::{CompleteResult, Completion};

/// What a completion may return: texts, a whole [`Completion`], and a `Result` of either.
#[diagnostic::on_unimplemented(
    message = "MCP093: a completion cannot return `{Self}`",
    label = "not values that complete something",
    note = "return `Vec<String>`, `Vec<&'static str>`, `mcp::Completion`, or a `Result` of one of them"
)]
pub trait IntoCompletion {
    /// What the client gets.
    fn into_completion(self) -> Outcome<CompleteResult>;
}

impl IntoCompletion for Completion {
    fn into_completion(mut self) -> Outcome<CompleteResult> {
        if self.values.len() > Self::MOST {
            self.total.get_or_insert(self.values.len() as u64);
            self.has_more = Some(true);
            self.values.truncate(Self::MOST);
        }
        Ok(CompleteResult { completion: self, meta: None })
    }
}

impl<T: Into<String>> IntoCompletion for Vec<T> {
    fn into_completion(self) -> Outcome<CompleteResult> {
        Completion::new(self).into_completion()
    }
}

impl<T: Into<String>, const N: usize> IntoCompletion for [T; N] {
    fn into_completion(self) -> Outcome<CompleteResult> {
        Completion::new(self).into_completion()
    }
}

impl<T: IntoCompletion, E: IntoFailure> IntoCompletion for Result<T, E> {
    fn into_completion(self) -> Outcome<CompleteResult> {
        match self {
            Ok(value) => value.into_completion(),
            Err(error) => Err(error.into_failure()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_a_hundred_values_are_only_counted() {
        let many: Vec<String> = (0..5000).map(|n| n.to_string()).collect();
        for result in [
            many.clone().into_completion(),
            Completion { values: many, ..Completion::default() }.into_completion(),
        ] {
            let completion = result.unwrap().completion;
            assert_eq!(
                (completion.values.len(), completion.total, completion.has_more),
                (100, Some(5000), Some(true))
            );
        }
        let few = ["a", "b"].into_completion().unwrap().completion;
        assert_eq!((few.values.len(), few.total, few.has_more), (2, None, None));
    }
}
