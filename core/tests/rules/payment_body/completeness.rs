//! The table of the tests leaves no member out: it is held against the tables of the library.

use std::collections::BTreeSet;

use crate::payment_body::bench::Product;
use crate::payment_body::table::{rows, EVERY};
use crate::repository_root::root;

fn source(name: &str) -> String {
    std::fs::read_to_string(root().join("core/src/payment").join(name)).unwrap()
}

/// The text between the first two of these characters.
fn between(line: &str, open: char, close: char) -> Option<&str> {
    line.split_once(open)?.1.split_once(close).map(|(inside, _)| inside)
}

/// The columns of the library's table of members that apply to a product.
fn columns(product: Product) -> &'static [usize] {
    match product {
        Product::Domestic => &[0],
        Product::Instant | Product::Straks => &[1],
        Product::Sepa => &[2],
        Product::CrossBorder => &[3],
        Product::NorwegianCrossBorder => &[4],
        Product::Periodic => &[5],
        Product::Bulk => &[6, 7],
    }
}

/// The members of a product's body by the library's table.
fn members_of(product: Product, source: &str) -> BTreeSet<String> {
    let is_row = |line: &&str| line.starts_with("    ") && line.trim_end().ends_with("];");
    let mut members = BTreeSet::new();
    for line in source.lines().filter(is_row) {
        let (Some(name), Some(cells)) = (between(line, '"', '"'), between(line, '[', ']')) else { continue };
        let cells: Vec<_> = cells.split_whitespace().collect();
        if cells.len() == 9 && columns(product).iter().any(|column| cells[*column] != "-") {
            members.insert(name.to_owned());
        }
    }
    members
}

#[test]
fn every_member_of_every_product_has_a_row() {
    let draft = source("draft.rs");
    for product in EVERY {
        let of_the_library = members_of(*product, &draft);
        assert!(of_the_library.len() >= 10, "{product:?}: {of_the_library:?}");
        let rows = rows();
        let of_the_product = rows.iter().filter(|row| row.products.contains(product));
        let top = of_the_product.filter_map(|row| row.pointer.strip_prefix('/'));
        let mut of_the_tests: BTreeSet<_> =
            top.filter(|name| !name.contains('/')).map(ToOwned::to_owned).collect();
        if *product == Product::Bulk {
            // How many payments a bulk has is tested beside.
            assert!(of_the_tests.insert("payments".to_owned()));
        }
        assert_eq!(of_the_library, of_the_tests, "{product:?}");
    }
}

#[test]
fn every_member_inside_of_members_has_a_row() {
    let objects = source("members.rs");
    let named = |line: &str| {
        let (_, declared) = line.split_once(" = ")?;
        let is_one = ["required", "optional", "owed"]
            .iter()
            .any(|presence| declared.starts_with(&format!("{presence} \"")));
        is_one.then(|| between(declared, '"', '"').unwrap().to_owned())
    };
    let inner: BTreeSet<String> = objects.lines().filter_map(named).collect();
    assert!(inner.len() > 10, "{inner:?}");
    let rows = rows();
    let tested: BTreeSet<_> = rows.iter().filter_map(|row| row.pointer.rsplit('/').next()).collect();
    // Town and city need each other; they are tested beside the table.
    let missing: Vec<_> = inner.iter().filter(|name| !tested.contains(name.as_str())).collect();
    assert_eq!(missing, ["city"]);
}
