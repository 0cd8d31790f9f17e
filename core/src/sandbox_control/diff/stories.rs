//! How a difference is described, section by section.

use super::words::{in_words, Names};
use crate::store::sqlite::document::Row;

/// How the differences of a section are described.
pub(super) struct Story {
    /// What a row is.
    pub(super) noun: &'static str,
    /// The members that make a row the same one in both snapshots.
    pub(super) identity: &'static [&'static str],
    /// What names a row in a line: members, with other words between.
    label: &'static [&'static str],
    /// The verb for a new row.
    born: &'static str,
    /// The members shown of a new row.
    shown: &'static [&'static str],
    /// The member whose change is shown without its name.
    main: &'static str,
    /// Whether only numbers are shown, because each change also shows elsewhere.
    pub(super) is_counted: bool,
}

/// Members that change along with others; shown only if no other member changed.
const QUIET: &[&str] = &["version", "duplicateFingerprint", "number", "identity", "endedAt", "lastAccessAt"];

const PLAIN: Story = Story {
    noun: "",
    identity: &["id"],
    label: &["id"],
    born: "new",
    shown: &[],
    main: "",
    is_counted: false,
};

/// How the differences of the section are described.
pub(super) fn story(section: &'static str) -> Story {
    let counted = |noun, identity| Story { noun, identity, is_counted: true, ..PLAIN };
    let by = |noun, identity| Story { noun, identity, label: identity, ..PLAIN };
    match section {
        "tpps" => Story { born: "registered", shown: &["name", "roles"], ..by("TPP", &["organisationId"]) },
        "trustAnchors" => counted("trust anchors", &["certificate"]),
        "customers" => {
            Story { label: &["customerNumber"], shown: &["type", "name"], ..by("customer", &["id"]) }
        }
        "scaDemands" => Story {
            born: "asked for",
            shown: &["demand"],
            main: "demand",
            ..by("SCA by risk of", &["person"])
        },
        "accounts" => {
            Story { shown: &["owner", "booked", "currency"], main: "booked", ..by("account", &["id"]) }
        }
        "cardAccounts" => Story { main: "status", ..by("card account", &["account"]) },
        "kidAgreements" => by("KID agreement of account", &["account"]),
        "agreements" => Story { label: &["name"], shown: &["owner"], ..by("agreement", &["id"]) },
        "engagements" => Story {
            label: &["customer", "with account", "account"],
            shown: &["roles"],
            ..by("engagement of", &["id"])
        },
        "transactions" => Story {
            label: &["account"],
            born: "booked",
            shown: &["amount", "currency", "bookingDate"],
            ..by("account", &["id"])
        },
        "cardTransactions" => counted("details of card transactions", &["transaction"]),
        "cardAuthorisations" => Story {
            label: &["account"],
            born: "authorised",
            shown: &["amount", "currency", "transactionDate"],
            ..by("account", &["id"])
        },
        "ownNames" => counted("own names of transactions", &["transaction"]),
        "balanceChanges" => Story {
            label: &["account"],
            born: "balance set",
            shown: &["difference", "currency"],
            ..by("account", &["number"])
        },
        "populations" => Story { label: &["number"], main: "livedUntil", ..by("population", &["number"]) },
        "bankOrders" => Story {
            born: "taken",
            shown: &["state"],
            main: "state",
            ..by("bank's order of payment", &["payment"])
        },
        "bankOrderEntries" => counted("entries of the bank's orders", &["payment", "position"]),
        "bankOrderReferences" => {
            counted("references of the bank's orders", &["payment", "entry", "position"])
        }
        "cancelledPayments" => by("bank's note that a payment is cancelled", &["payment"]),
        "facts" => Story { label: &["key"], main: "value", ..by("fact", &["key"]) },
        "usedRequestIds" => counted("used request ids", &["tpp", "requestId"]),
        "payments" => {
            Story { born: "created", shown: &["status", "product"], main: "status", ..by("payment", &["id"]) }
        }
        "paymentEvents" => counted("events of payments", &["payment", "number"]),
        "orders" => Story { born: "waits for delivery", ..by("order of payment", &["payment"]) },
        "audit" => counted("lines of the audit", &["at", "number"]),
        "baskets" => Story { born: "created", shown: &["state"], main: "state", ..by("basket", &["id"]) },
        "authorisations" => Story {
            label: &["id", "for", "purpose"],
            born: "started",
            main: "status",
            ..by("authorisation", &["id"])
        },
        "psuIds" => {
            Story { label: &["psu", "for", "tpp"], shown: &["psuId"], ..by("PSU-ID of", &["tpp", "psuId"]) }
        }
        "corporateIds" => Story {
            label: &["corporate", "for", "tpp"],
            shown: &["corporateId"],
            ..by("PSU-Corporate-ID of", &["tpp", "corporateId"])
        },
        "corporatePsus" => Story {
            label: &["corporateId", "to", "psu", "for", "tpp"],
            ..by("PSU-Corporate-ID", &["tpp", "corporateId", "psu"])
        },
        "sessions" => Story {
            label: &["id", "of", "tpp"],
            born: "opened",
            shown: &["psu", "context"],
            ..by("session", &["tpp", "id"])
        },
        "consents" => Story {
            label: &["psu", "to", "tpp"],
            born: "granted",
            shown: &["context"],
            main: "endedWhy",
            ..by("consent of", &["number"])
        },
        "blocked" => Story {
            label: &["kind", "subject"],
            born: "blocked",
            shown: &["why"],
            ..by("calls of", &["kind", "subject"])
        },
        "consentAccounts" => Story {
            label: &["consent", "with", "kind", "account"],
            born: "opened",
            ..by("consent number", &["consent", "kind", "account"])
        },
        "callCounts" => counted("counts of calls", &["day", "tpp", "operation", "ended"]),
        "outages" => Story { shown: &["endedAt"], main: "endedAt", ..by("outage", &["beganAt"]) },
        "accessCounts" => Story {
            label: &["account", "by", "tpp"],
            shown: &["calls"],
            main: "calls",
            ..by("calls without the PSU on", &["tpp", "psu", "account", "operation", "day"])
        },
        other => Story { noun: other, ..PLAIN },
    }
}

impl Story {
    /// A row that is only in the second snapshot.
    pub(super) fn born(&self, row: &Row, names: &Names) -> String {
        let shown: Vec<_> = self.shown.iter().filter_map(|member| in_words(row, member, names)).collect();
        let shown = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(" ")) };
        format!("{}: {}{shown}", self.name(row, names), self.born)
    }

    /// A row that is only in the first.
    pub(super) fn gone(&self, row: &Row, names: &Names) -> String {
        format!("{}: gone", self.name(row, names))
    }

    /// A row that is in both, and not the same.
    pub(super) fn changed(&self, old: &Row, new: &Row, names: &Names) -> String {
        let mut members: Vec<&str> = Vec::new();
        for (member, value) in old.iter().chain(new) {
            let is_same = [old, new].iter().all(|row| row.contains(&(*member, value.clone())));
            if !is_same && !members.contains(member) {
                members.push(member);
            }
        }
        if members.iter().any(|member| !QUIET.contains(member)) {
            members.retain(|member| !QUIET.contains(member));
        }
        members.sort_by_key(|member| *member != self.main);
        let shown: Vec<_> = members.iter().map(|member| self.change(member, old, new, names)).collect();
        format!("{}: {}", self.name(new, names), shown.join(", "))
    }

    fn change(&self, member: &str, old: &Row, new: &Row, names: &Names) -> String {
        match (in_words(old, member, names), in_words(new, member, names)) {
            (Some(_), Some(ended)) if member == "endedWhy" => ended.into_owned(),
            (Some(from), Some(to)) if member == self.main => {
                let unit = match member {
                    "booked" => in_words(new, "currency", names).map(|currency| format!(" {currency}")),
                    _ => None,
                };
                format!("{from} → {to}{}", unit.unwrap_or_default())
            }
            (Some(from), Some(to)) => format!("{member} {from} → {to}"),
            _ => format!("{member} changed"),
        }
    }

    fn name(&self, row: &Row, names: &Names) -> String {
        let has = |word: &str| row.iter().any(|(name, _)| *name == word);
        let words = self.label.iter().filter_map(|word| match has(word) {
            true => in_words(row, word, names).map(|value| value.into_owned()),
            false => Some((*word).to_owned()),
        });
        format!("{} {}", self.noun, words.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::Database;

    #[test]
    fn every_section_has_a_story_of_its_own() {
        for section in Database::section_names() {
            assert_ne!(story(section).noun, section, "{section} needs words");
        }
        assert_eq!(story("another").noun, "another");
    }
}
