//! Reads the answer to a question, with what it has to repeat of it.

use super::method::BankMethod;
use super::shape::{Fault, Part};
use crate::error::Error;
use crate::wire::json::Json;

/// The answer, if it is one to this request; `None` for null.
pub(super) fn read_answer<A: Part>(
    method: BankMethod,
    request: &str,
    answer: Json<'_>,
) -> Result<Option<A::Held>, Fault> {
    let Json::Object(mut members) = answer else {
        return match answer {
            Json::Null => Ok(None),
            other => A::read(&other).map(Some),
        };
    };
    let asked = Json::parse(request.as_bytes()).unwrap_or(Json::Null);
    for name in method.repeated() {
        let place = members.iter().position(|(found, _)| found == name);
        let place = place.ok_or_else(|| Fault::new("is missing").below(name))?;
        let got = members.get(place).map(|(_, value)| value);
        if !got.zip(asked.member(name)).is_some_and(|(got, asked)| is_repeated(asked, got)) {
            return Err(Fault::new("is not what was asked for").below(name));
        }
        // An object that has the member itself keeps it; a wrapper only repeats it.
        if method.answer().members.iter().all(|row| row.name != *name) {
            members.remove(place);
        }
    }
    A::read(&Json::Object(members)).map(Some)
}

/// Returns true if the bank repeats what it was asked, with members in any order. The members asked are all different,
/// so if the bank repeats one of them, another one is missing.
fn is_repeated(asked: &Json<'_>, got: &Json<'_>) -> bool {
    match (asked, got) {
        (Json::Object(members), Json::Object(found)) => {
            members.len() == found.len()
                && members
                    .iter()
                    .all(|(name, value)| got.member(name).is_some_and(|found| is_repeated(value, found)))
        }
        _ => asked == got,
    }
}

pub(super) fn wrong(method: BankMethod, fault: &Fault) -> Error {
    error(method, &fault.pointer, &fault.text)
}

/// The bank answered, but the answer cannot be used: unlike an outage, waiting alone does not solve this.
pub(super) fn error(method: BankMethod, pointer: &str, text: &str) -> Error {
    match pointer {
        "" => Error::BankAnswer(format!("{method}: the answer: {text}")),
        _ => Error::BankAnswer(format!("{method}: {pointer}: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_has_every_member_that_was_asked_and_no_other() {
        let asked = r#"{"person":"p","context":"PRIVATE"}"#;
        for (got, same) in [
            (r#"{"context":"PRIVATE","person":"p"}"#, true),
            (r#"{"person":"p","context":"CORPORATE"}"#, false),
            (r#"{"person":"p"}"#, false),
            (r#"{"person":"p","person":"p"}"#, false),
            (r#"{"person":"p","context":"PRIVATE","person":"p"}"#, false),
            (r#"{"person":"p","context":"PRIVATE","corporate":null}"#, false),
            (r#""p""#, false),
        ] {
            let parsed = |text: &'static str| Json::parse(text.as_bytes()).unwrap();
            assert_eq!(is_repeated(&parsed(asked), &parsed(got)), same, "{got}");
        }
    }
}
