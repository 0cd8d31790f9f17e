//! State machines as tables.
//!
//! One `machine!` declaration is the source of the enum, the check, the matrix in `docs/machines.md`, the diagram and
//! the tests. Guards that need money, time or an owner are not here; they are in the rules file of the thing, such as
//! `payment_rules.rs`.

/// The table of every machine.
pub trait Machine: Copy + Eq + 'static {
    /// The machine's name in the documentation.
    const NAME: &'static str;
    /// Every state, in the order of the table.
    const STATES: &'static [Self];
    /// The state as it is written on the wire and in the store.
    fn as_str(self) -> &'static str;
    /// What the state means.
    fn meaning(self) -> &'static str;
    /// The states this one may become.
    fn targets(self) -> &'static [Self];

    /// Whether the table has a row from this state to that one.
    fn may_become(self, to: Self) -> bool {
        self.targets().contains(&to)
    }

    /// Whether nothing follows this state.
    fn is_final(self) -> bool {
        self.targets().is_empty()
    }

    /// The state of that name.
    fn parse(text: &str) -> Option<Self> {
        Self::STATES.iter().copied().find(|state| state.as_str() == text)
    }
}

/// Declares a state machine: `State "wire name" "meaning" => Target Target;`, a final state has no target.
macro_rules! machine {
    ($(#[$doc:meta])* $name:ident $title:literal { $( $state:ident $wire:literal $meaning:literal => $($target:ident)*; )+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name { $( #[doc = $meaning] $state, )+ }

        impl $crate::machine::Machine for $name {
            const NAME: &'static str = $title;
            const STATES: &'static [Self] = &[ $( Self::$state, )+ ];

            fn as_str(self) -> &'static str {
                match self { $( Self::$state => $wire, )+ }
            }

            fn meaning(self) -> &'static str {
                match self { $( Self::$state => $meaning, )+ }
            }

            fn targets(self) -> &'static [Self] {
                match self { $( Self::$state => &[ $( Self::$target, )* ], )+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str($crate::machine::Machine::as_str(*self))
            }
        }
    };
}
pub(crate) use machine;

/// The full state × state matrix of a machine as a Markdown table.
pub fn matrix<M: Machine>() -> String {
    let mut out = String::from("| from \\ to |");
    for state in M::STATES {
        out.push_str(&format!(" {} |", state.as_str()));
    }
    out.push_str("\n|---|");
    out.push_str(&"---|".repeat(M::STATES.len()));
    for from in M::STATES {
        out.push_str(&format!("\n| **{}** |", from.as_str()));
        for to in M::STATES {
            out.push_str(if from.may_become(*to) { " yes |" } else { " · |" });
        }
    }
    out.push('\n');
    out
}

/// The machine as a Mermaid state diagram.
pub fn diagram<M: Machine>() -> String {
    let mut out = String::from("stateDiagram-v2\n");
    if let Some(start) = M::STATES.first() {
        out.push_str(&format!("    [*] --> {}\n", start.as_str()));
    }
    for from in M::STATES {
        for to in from.targets() {
            out.push_str(&format!("    {} --> {}\n", from.as_str(), to.as_str()));
        }
        if from.is_final() {
            out.push_str(&format!("    {} --> [*]\n", from.as_str()));
        }
    }
    out
}
