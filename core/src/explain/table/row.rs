//! How the rows are written.

/// Declares rows and their group: name, id, what is varied; sentence, advice; source; a wrong line, a right line.
macro_rules! mistakes {
    ($(#[$doc:meta])* $group:ident: $( $name:ident $id:literal $varies:expr,
        $sentence:literal $advice:literal $source:literal $wrong:literal $right:literal; )+) => {
        $(
            pub(in crate::explain) static $name: $crate::explain::Mistake = $crate::explain::Mistake {
                id: $id,
                varies: $varies,
                sentence: $sentence,
                advice: $advice,
                source: $source,
                wrong: $wrong,
                right: $right,
            };
        )+
        $(#[$doc])*
        pub(in crate::explain) static $group: &[&$crate::explain::Mistake] = &[ $( &$name, )+ ];
    };
}

pub(super) use mistakes;
