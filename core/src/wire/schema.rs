//! What a value looks like, in JSON Schema (draft 2020-12), which is what OpenAPI 3.1 takes.
//!
//! A schema states only what holds for every policy and every rest of the body: the reader refuses all that the schema
//! refuses, and more.

use std::borrow::Cow;

use super::json::Json;

/// A schema: its keywords in the order in which they were said.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema(Vec<(Cow<'static, str>, Json<'static>)>);

impl Schema {
    /// Any text.
    pub fn text() -> Self {
        Self::of_type("string")
    }

    /// A text of that many characters.
    pub fn text_of(least: usize, most: usize) -> Self {
        Self::text().with("minLength", number(least)).with("maxLength", number(most))
    }

    /// A text that fits a regular expression, which is one of ECMA 262 and of every other dialect.
    pub fn pattern(pattern: impl Into<Cow<'static, str>>) -> Self {
        Self::text().with("pattern", pattern.into())
    }

    /// A text in a form that has a name, such as `uuid`.
    pub fn format(name: &'static str) -> Self {
        Self::text().with("format", name)
    }

    /// `YYYY-MM-DD`.
    pub fn day() -> Self {
        Self::format("date").with("pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
    }

    /// One of these texts.
    pub fn one_of(codes: impl IntoIterator<Item = &'static str>) -> Self {
        Self::text().with("enum", Json::Array(codes.into_iter().map(Json::from).collect()))
    }

    /// One of these texts in any case, which are letters alone.
    pub fn in_any_case(codes: &[&str]) -> Self {
        let both = |letter: char| format!("[{}{}]", letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
        let spelt: Vec<String> = codes.iter().map(|code| code.chars().map(both).collect()).collect();
        Self::pattern(format!("^({})$", spelt.join("|")))
    }

    /// A whole number.
    pub fn whole(from: i64, to: i64) -> Self {
        Self::of_type("integer").with("minimum", Json::Integer(from)).with("maximum", Json::Integer(to))
    }

    /// A whole number of any size.
    pub fn any_whole() -> Self {
        Self::of_type("integer")
    }

    /// The same number, as it is where none is there.
    #[must_use]
    pub fn by_default(self, number: i64) -> Self {
        self.with("default", Json::Integer(number))
    }

    /// `true` or `false`.
    pub fn switch() -> Self {
        Self::of_type("boolean")
    }

    /// An array.
    pub fn each(items: Self) -> Self {
        Self::of_type("array").with("items", items)
    }

    /// The same array of that many items.
    #[must_use]
    pub fn of_items(self, least: usize, most: usize) -> Self {
        self.with("minItems", number(least)).with("maxItems", number(most))
    }

    /// An object with these members, each with whether it must be there.
    pub fn object(members: impl IntoIterator<Item = (&'static str, Self, bool)>) -> Self {
        let (mut properties, mut required) = (Vec::new(), Vec::new());
        for (name, schema, is_required) in members {
            properties.push((Cow::Borrowed(name), Json::from(schema)));
            required.extend(is_required.then_some(Json::from(name)));
        }
        Self::of_type("object")
            .with("required", Json::Array(required))
            .with("properties", Json::Object(properties))
    }

    /// The schema of that name among the document's own.
    pub fn named(name: &str) -> Self {
        Self(Vec::new()).with("$ref", format!("#/components/schemas/{name}"))
    }

    /// What any of these takes.
    pub fn any_of(schemas: impl IntoIterator<Item = Self>) -> Self {
        Self(Vec::new()).with("anyOf", Json::Array(schemas.into_iter().map(Json::from).collect()))
    }

    /// That, or null.
    #[must_use]
    pub fn or_null(mut self) -> Self {
        let is_listed = self.0.iter().any(|(keyword, _)| keyword == "enum");
        match self.0.first_mut() {
            // Keywords of a type say nothing of the others.
            Some((keyword, kind)) if keyword == "type" && !is_listed => {
                *kind = Json::Array(vec![kind.clone(), "null".into()]);
                self
            }
            _ => Self::any_of([self, Self::of_type("null")]),
        }
    }

    /// That, or an empty text.
    #[must_use]
    pub fn or_empty(mut self) -> Self {
        match self.0.iter_mut().find(|(keyword, _)| keyword == "minLength") {
            Some((_, least)) => {
                *least = Json::Integer(0);
                self
            }
            None => Self::any_of([self, Self(Vec::new()).with("const", "")]),
        }
    }

    /// The same, said in words too.
    #[must_use]
    pub fn described(self, text: impl Into<Cow<'static, str>>) -> Self {
        match text.into() {
            text if text.is_empty() => self,
            text => self.with("description", text),
        }
    }

    fn of_type(name: &'static str) -> Self {
        Self(Vec::new()).with("type", name)
    }

    fn with(mut self, keyword: &'static str, value: impl Into<Json<'static>>) -> Self {
        self.0.push((keyword.into(), value.into()));
        self
    }
}

impl From<Schema> for Json<'static> {
    fn from(schema: Schema) -> Self {
        Self::Object(schema.0)
    }
}

fn number(number: usize) -> Json<'static> {
    Json::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::json::write_text;

    fn written(schema: Schema) -> String {
        write_text(&Json::from(schema)).unwrap()
    }

    #[test]
    fn keywords_keep_the_order_in_which_they_were_given() {
        let members = [("b", Schema::text_of(1, 3), true), ("a", Schema::named("Sum").or_null(), false)];
        let object = Schema::object(members).described("Both.");
        assert_eq!(
            written(object),
            concat!(
                r#"{"type":"object","required":["b"],"properties":{"#,
                r#""b":{"type":"string","minLength":1,"maxLength":3},"#,
                r##""a":{"anyOf":[{"$ref":"#/components/schemas/Sum"},{"type":"null"}]}},"##,
                r#""description":"Both."}"#
            )
        );
        assert_eq!(
            written(Schema::text_of(1, 3).or_empty().or_null()),
            r#"{"type":["string","null"],"minLength":0,"maxLength":3}"#
        );
        assert_eq!(
            written(Schema::one_of(["a"]).or_null()),
            r#"{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}"#
        );
        assert_eq!(
            written(Schema::each(Schema::switch()).of_items(1, 10)),
            r#"{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":10}"#
        );
        assert_eq!(
            written(Schema::whole(-1, 7).described("")),
            r#"{"type":"integer","minimum":-1,"maximum":7}"#
        );
    }

    #[test]
    fn codes_in_any_case_are_a_pattern() {
        let expected = r#"{"type":"string","pattern":"^([Oo][Nn]|[Oo][Ff][Ff])$"}"#;
        assert_eq!(written(Schema::in_any_case(&["on", "OFF"])), expected);
        assert_eq!(
            written(Schema::one_of(["on"]).or_empty()),
            r#"{"anyOf":[{"type":"string","enum":["on"]},{"const":""}]}"#
        );
    }
}
