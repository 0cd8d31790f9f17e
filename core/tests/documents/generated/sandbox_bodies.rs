//! What the sandbox's own routes take.

use xs2a::sandbox::management::bodies::{objects, Body, Object, BODIES};
use xs2a::sandbox::management::OPERATIONS;

use crate::generated::{bodies, heading};
use crate::sandbox_examples::EXAMPLES;

pub(crate) fn page() -> String {
    let mut page = heading(
        "Bodies of the sandbox's own routes",
        "What is sent to `/v1/sandbox/…`. The routes and their headers: [operations](operations.md#the-sandboxs-own).\n\
         What else holds of them: [the rules](guide/rules.md#the-sandboxs-own-routes). A body is stored whole or\n\
         not at all, and all its faults are reported at once. A member that is not listed is ignored;\n\
         one that is not required may be null. Texts are held to the policy `repertoire`. A test sends each example\n\
         to a sandbox as it begins, at 2026-09-01, in the order of this page; the ids in the paths are those of the\n\
         account 95360573002, of the first card account, and of the agreement that was made before.",
        "the `described!` declarations in core/src/sandbox/management",
    );
    for object in objects() {
        page.push_str(&section(&object));
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn section(object: &Object) -> String {
    let mut section = format!("## {}\n\n", object.name);
    let bodies: Vec<_> = BODIES.iter().filter(|body| body.object == object.name).collect();
    for body in &bodies {
        let many = if body.is_array { "an array of these" } else { "one of these" };
        section.push_str(&format!("- {} takes {many}\n", place(body)));
    }
    if !bodies.is_empty() {
        section.push('\n');
    }
    section.push_str(&bodies::section(object));
    if let Some(body) = bodies.first() {
        let (_, example) =
            EXAMPLES.iter().find(|(operation, _)| *operation == body.operation).expect("an example");
        section.push_str(&format!("```json\n{example}\n```\n\n"));
    }
    section
}

fn place(body: &Body) -> String {
    let route = OPERATIONS.iter().find(|route| route.name == body.operation).expect("a route");
    format!("`{} {}`", route.method, route.path)
}
