//! Every number of the contract's section "Limits", and the bounds this library adds so that no input can use unbounded
//! memory. The unit is part of the name.

/// Numbers that belong together.
#[derive(Debug)]
pub struct Group {
    /// What they are about.
    pub title: &'static str,
    /// In their order.
    pub limits: Vec<Limit>,
}

/// A number.
#[derive(Debug)]
pub struct Limit {
    /// Its name, with the unit.
    pub name: &'static str,
    /// Its value in that unit.
    pub value: String,
    /// What it bounds.
    pub meaning: String,
}

macro_rules! limits {
    ($( $title:literal { $( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:expr; )+ } )+) => {
        $( $( $(#[doc = $doc])+ pub const $name: $type = $value; )+ )+

        /// Every number, for the docs.
        pub fn groups() -> Vec<Group> {
            vec![ $( Group {
                title: $title,
                limits: vec![ $( Limit {
                    name: stringify!($name),
                    value: $name.to_string(),
                    meaning: concat!($( $doc ),+).trim().to_owned(),
                }, )+ ],
            }, )+ ]
        }
    };
}

limits! {
    "Dates, request ids and chains" {
        /// How far the `Date` header may lie from the engine's clock, either way: 60 s pass, 61 s do not.
        DATE_DEVIATION_SECONDS_MAX: u64 = 60;
        /// How long an `X-Request-ID` of one TPP stays used.
        REPLAY_WINDOW_SECONDS: i64 = 120;
        /// How much longer a written request id is kept. It must not be forgotten by a node whose clock is ahead while
        /// others still need it; one that is off by more than this is noticed sooner, because it refuses every TPP by
        /// its `Date`.
        REPLAY_KEPT_SECONDS: i64 = 10 * 60;
        /// How many request ids of one TPP an engine remembers in each half of its replay window. Those of changes are
        /// stored too, beyond any number.
        REPLAY_IDS_MAX: usize = 1 << 16;
        /// How many verified certificate chains one engine keeps.
        CHAIN_CACHE_ENTRIES_MAX: usize = 4096;
    }
    "Populations of a sandbox" {
        /// How many private customers one population has: with their accounts and cards they take less than half
        /// of the account numbers that no bank has.
        POPULATION_PERSONS_MAX: u64 = 100_000;
        /// How many corporate customers one population has.
        POPULATION_COMPANIES_MAX: u64 = 10_000;
        /// How many months its history has before the present one.
        POPULATION_MONTHS_MAX: u64 = 120;
        /// How many cases it has for a thousand persons: as many as persons.
        POPULATION_CASES_MAX: u64 = 1_000;
        /// How many months its customers have lived in all where it is in a sandbox: some sixteen million bookings.
        POPULATION_CUSTOMER_MONTHS_MAX: u64 = 240_000;
        /// How many months after its first day the lives of a population go on, with `lives_on`.
        LIVES_MONTHS_MAX: u64 = 240;
        /// How many months its customers live in all then, their history included: some sixty million bookings.
        LIVES_CUSTOMER_MONTHS_MAX: u64 = 960_000;
    }
    "Audit" {
        /// How many refused calls of callers that are not authorised one engine writes into its audit one by one in a
        /// minute; beyond that they are counted by reason.
        AUDIT_REFUSALS_PER_MINUTE_MAX: usize = 60;
        /// How long statistics, and evidence of a read by policy `audit_reads`, wait in memory.
        WAITING_WRITES_MILLIS: i64 = 1000;
        /// How many lines of evidence wait in memory. A read beyond that first writes them.
        AUDIT_READS_WAITING_MAX: usize = 10_000;
        /// How much the audit keeps of the organisation identifier that a refused caller claims.
        AUDIT_ORGANISATION_CHARS_MAX: usize = 128;
        /// How many hexadecimal digits the audit keeps of the serial number of a certificate that a refused caller
        /// shows: those of the longest that RFC 5280 has (section 4.1.2.2).
        AUDIT_SERIAL_DIGITS_MAX: usize = 2 * SERIAL_BYTES_MAX;
        /// How many lines of the audit are read at a time while it is exported.
        AUDIT_LINES_PER_READ: usize = 1_000;
    }
    "Statistics" {
        /// How many requests in a row that are not answered make an outage (EBA/GL/2018/07, guideline 2.4).
        OUTAGE_CALLS_MIN: u32 = 5;
        /// How long a request may wait for its answer before it counts as not answered (the same guideline).
        UNANSWERED_AFTER_SECONDS: u64 = 30;
        /// How many rows of calls, and of outages, wait in memory while they cannot be written.
        STATISTICS_ROWS_WAITING_MAX: usize = 10_000;
        /// How many outages are read at a time.
        OUTAGES_PER_READ: usize = 1_000;
        /// For how many days statistics are read by one call.
        STATISTICS_DAYS_MAX: i64 = 400;
    }
    "Authorisations, orders and upkeep" {
        /// Life of an authorisation from its creation; at exactly this age it is expired.
        AUTHORISATION_LIFE_SECONDS: i64 = 10 * 60;
        /// How far ahead of a node's clock a time may be that another node wrote: a row whose time is this far
        /// ahead or farther counts as expired, because it would live too long.
        CLOCKS_APART_SECONDS_MAX: i64 = 10 * 60;
        /// How long expired rows stay in the store before they are deleted. For another node, whose clock is behind,
        /// they may not be expired yet.
        PURGE_AFTER_HOURS: i64 = 24;
        /// How long a session is kept after it was opened. Every consent of its time is over after half of that; until
        /// then a TPP that still uses it gets an answer whether it expired or was replaced, and a call without a
        /// context of its own has the session's.
        SESSION_KEPT_DAYS: i64 = 365;
        /// How many rows are deleted in one commit: on SQLite no other connection writes during it.
        PURGE_ROWS_PER_COMMIT: usize = 2_000;
        /// How many such commits one call of `run_due` makes for each kind of row. The rest is for a later call,
        /// because orders wait for this.
        PURGE_COMMITS_PER_RUN_MAX: usize = 250;
        /// How long an engine waits before it deletes expired rows again.
        PURGE_PAUSE_SECONDS: i64 = 60;
        /// The same for what policies keep by days: old payments that have a history are looked at each time.
        RETENTION_PAUSE_SECONDS: i64 = 3600;
        /// How often a change that lost a race against another is tried again before it is the caller's to do so.
        RACE_ATTEMPTS_MAX: usize = 5;
        /// How many orders one call of `run_due` delivers at most.
        ORDERS_PER_RUN_MAX: usize = 10_000;
        /// How many orders are read, or postponed in one commit, where they are not claimed one at a time.
        ORDERS_PER_READ_MAX: usize = 16;
        /// How long a node has the orders it took for itself, by default. After a crash they wait that long.
        ORDER_LEASE_SECONDS: u32 = 60;
        /// The longest wait before a bank that is away is asked again.
        DELIVERY_BACKOFF_SECONDS_MAX: i64 = 3_600;
        /// How often an order may fail by its own fault before it becomes a dead letter: 6 to 9 minutes.
        ORDER_FAULTS_MAX: u32 = 10;
        /// How many orders of a product in a row find the bank away before a run asks only about as many that failed
        /// less often.
        BANK_AWAY_ANSWERS_MAX: usize = 3;
        /// How many dead letters are listed.
        DEAD_LETTERS_LISTED_MAX: usize = 1_000;
        /// How long two payments that look the same count as logical duplicates.
        LOGICAL_DUPLICATE_HOURS: i64 = 24;
        /// By how many other numbers of a debtor account its payments are looked for.
        DEBTOR_OTHER_NUMBERS_MAX: usize = 8;
    }
    "Sessions, consents and baskets" {
        /// How long a completed SCA counts under its TPP-Session-ID; at exactly this age it is over.
        SESSION_LIFE_SECONDS: i64 = 60 * 60;
        /// How long a consent counts from its last SCA; at exactly this age it is over.
        CONSENT_LIFE_DAYS: i64 = 180;
        /// The stored time of a TPP's last access lags behind by less than this: a read within it writes none.
        LAST_ACCESS_SECONDS: i64 = 60;
        /// How long a consent is kept after it was revoked or replaced, for the PSU to see, by default; policy
        /// `consents_kept_days` changes it.
        CONSENTS_KEPT_DAYS: u32 = 731;
        /// How long payments and signing baskets are kept, by default: until five years after the end of the year in
        /// which they were created. Policy `payments_kept_days` changes it.
        PAYMENTS_KEPT_DAYS: u32 = 2192;
        /// How long statistics are kept, by default; policy `statistics_kept_days` changes it.
        STATISTICS_KEPT_DAYS: u32 = 1096;
        /// How long after the last consent SCA transaction details are read without the PSU; at exactly this age it is
        /// over.
        DETAILS_WITHOUT_PSU_DAYS: i64 = 90;
        /// How many days before today the history without SCA begins.
        HISTORY_WITHOUT_SCA_DAYS: u64 = 90;
        /// How often a day (Europe/Oslo) one operation on one account is read without the PSU, by default and at least:
        /// what every TPP has (Delegated Regulation (EU) 2018/389, article 36(5)(b)). Policy
        /// `calls_without_psu_per_day` gives more.
        CALLS_WITHOUT_PSU_PER_DAY: u32 = 4;
        /// How many such calls a bank may allow: one a minute.
        CALLS_WITHOUT_PSU_PER_DAY_MAX: u32 = 24 * 60;
        /// How many payments a signing basket holds at most.
        BASKET_PAYMENTS_MAX: usize = 10;
    }
    "Bodies, answers and the journal" {
        /// Largest request body by default; policy `body_bytes_max` changes it.
        BODY_BYTES_MAX: usize = 1 << 20;
        /// Largest form that a browser may send to the sandbox's SCA page: about 4000 chosen accounts.
        FORM_BYTES_MAX: usize = 1 << 18;
        /// How many entries the journal of a sandbox keeps: the newest.
        JOURNAL_ENTRIES_MAX: usize = 10_000;
        /// How much the entries of one journal may weigh together.
        JOURNAL_BYTES_MAX: usize = 16 << 20;
        /// How many side effects of one step its entry lists; of the others it has the count.
        SIDE_EFFECTS_PER_ENTRY_MAX: usize = 100;
        /// Deepest nesting of a JSON body.
        JSON_DEPTH_MAX: usize = 32;
        /// Answers list at most this many messages; a body of a million faults is not answered with a million texts.
        TPP_MESSAGES_MAX: usize = 100;
        /// Longest text about why a payment is on hold, which is part of `psuMessage`.
        HOLD_REASON_CHARS_MAX: usize = 400;
        /// Longest `why` of a block of a TPP or certificate.
        BLOCK_REASON_CHARS_MAX: usize = 400;
        /// Longest error text of a bank in a dead letter, and of a C callback in the log too; it is cut there.
        BANK_ERROR_CHARS_MAX: usize = 400;
        /// How many consents or payments one call lists.
        LISTED_ROWS_MAX: usize = 1000;
        /// A page of payments ends with the one whose order brings the page to this many bytes: an order may have a
        /// MiB.
        LISTED_ORDER_BYTES_MAX: usize = 8 << 20;
        /// Longest text of a TPP message and of `psuMessage`.
        MESSAGE_TEXT_CHARS_MAX: usize = 512;
        /// Answers shorter than this are never compressed.
        GZIP_BYTES_MIN: usize = 1024;
    }
    "The bank's answers" {
        /// How many seconds a bank may take for an answer, by default; policy `bank_seconds_max` changes it.
        BANK_SECONDS_MAX: u32 = 10;
        /// How many seconds all questions of one call may take together, by default; policy `call_bank_seconds_max`
        /// changes it.
        CALL_BANK_SECONDS_MAX: u32 = 30;
        /// Longest answer of a bank that is asked in JSON: a page of a thousand transactions with every member at its
        /// longest has about 5 MB.
        BANK_ANSWER_BYTES_MAX: usize = 16 << 20;
        /// How often a bank is asked for one part of a list: it answers less than it is asked for, or its list grows
        /// while it is read.
        BANK_QUESTIONS_PER_PART_MAX: usize = 32;
        /// Longest reference of a bank to a person or a company.
        BANK_KEY_CHARS_MAX: usize = 256;
    }
    "Targets and headers" {
        /// Longest request target.
        TARGET_BYTES_MAX: usize = 8 * 1024;
        /// How many header fields a request may have.
        HEADER_FIELDS_MAX: usize = 200;
        /// Longest name and longest value of one header field (and of repeated fields joined).
        HEADER_VALUE_BYTES_MAX: usize = 32 * 1024;
        /// Longest `TPP-Redirect-URI`. Many servers refuse a longer request line, so no PSU could return by it; and
        /// each authorisation keeps it for a day, those that a refused read started too.
        REDIRECT_URI_BYTES_MAX: usize = 2048;
        /// Longest `TPP-Session-ID`.
        SESSION_ID_BYTES_MAX: usize = 256;
        /// How much of a forwarded PSU text, or of the TPP's brand, the bank gets.
        FORWARDED_CHARS_MAX: usize = 512;
    }
    "Explained refusals" {
        /// Longest body of which other forms than the given one are hashed.
        EXPLAIN_BODY_BYTES_MAX: usize = 1 << 20;
        /// Longest body of which several forms are in memory at the same time: eight.
        EXPLAIN_COPIED_BYTES_MAX: usize = 64 << 10;
        /// How many bytes one explanation hashes, because its clock may not move.
        EXPLAIN_HASHED_BYTES_MAX: usize = 256 << 20;
        /// How many bytes an explanation hashes for each millisecond of its budget, even if the time is over. Common
        /// machines hash several times as many.
        EXPLAIN_HASHED_BYTES_PER_MILLISECOND_MIN: usize = 128 << 10;
        /// How many refused calls an exported journal explains: the newest ones.
        EXPLAINED_ENTRIES_MAX: usize = 100;
        /// How many names a signed list may have for its text to be searched.
        EXPLAIN_NAMES_MAX: usize = 64;
    }
    "Certificates and trust" {
        /// Smallest RSA modulus of a TPP or CA.
        RSA_BITS_MIN: usize = 2048;
        /// Largest RSA modulus of a TPP or CA.
        RSA_BITS_MAX: usize = 8192;
        /// Longest chain from leaf to anchor, both counted.
        CHAIN_CERTIFICATES_MAX: usize = 8;
        /// How many attributes one relative distinguished name has at most. Certificates have one, seldom two or three;
        /// each is compared with each, so the work grows with the square.
        RDN_ATTRIBUTES_MAX: usize = 16;
        /// How much of the name in a TPP's certificate the bank's site, lists of consents and the record of a call get.
        TPP_NAME_CHARS_MAX: usize = 200;
        /// Longest organizationIdentifier of a TPP's certificate.
        ORGANISATION_ID_CHARS_MAX: usize = 128;
        /// How many certificates a TPP may send in one header.
        HEADER_CERTIFICATES_MAX: usize = 8;
        /// Largest revocation list: some 1.5 million certificates.
        CRL_BYTES_MAX: usize = 64 << 20;
        /// Largest EU trusted list.
        TRUSTED_LIST_BYTES_MAX: usize = 32 << 20;
        /// How many answers of a register of TPPs are remembered.
        REGISTRY_ANSWERS_MAX: usize = 10_000;
        /// Largest extract of a register of TPPs.
        REGISTER_BYTES_MAX: usize = 512 << 20;
        /// Deepest nesting of an EU trusted list.
        XML_DEPTH_MAX: usize = 64;
        /// How many revocation lists one set holds.
        REVOCATION_LISTS_MAX: usize = 1_000;
        /// Longest serial number of a certificate, and in a revocation list (RFC 5280 section 4.1.2.2).
        SERIAL_BYTES_MAX: usize = 20;
        /// How many signatures one chain search may verify before it gives up.
        CHAIN_SIGNATURE_CHECKS_MAX: usize = 32;
    }
    "Members of bodies" {
        /// Longest name of a party, and longest part of an address.
        NAME_CHARS_MAX: usize = 70;
        /// Longest bban.
        BBAN_CHARS_MAX: usize = 30;
        /// Longest iban.
        IBAN_CHARS_MAX: usize = 34;
        /// Longest unstructured remittance information.
        REMITTANCE_CHARS_MAX: usize = 140;
        /// Longest structured reference, reference type and issuer.
        REFERENCE_CHARS_MAX: usize = 35;
        /// Shortest bank transaction code.
        BANK_TRANSACTION_CODE_CHARS_MIN: usize = 4;
        /// Longest bank transaction code.
        BANK_TRANSACTION_CODE_CHARS_MAX: usize = 14;
        /// Longest `regulatoryReportingCode`.
        REGULATORY_CODE_CHARS_MAX: usize = 10;
        /// Longest `regulatoryReportingInformation`.
        REGULATORY_INFORMATION_CHARS_MAX: usize = 140;
        /// Digits of an amount before the decimal point (contract: precision 18, of which 5 are its scale).
        AMOUNT_INTEGER_DIGITS_MAX: usize = 13;
        /// Digits of an amount after the decimal point (contract: scale 5).
        AMOUNT_SCALE_DIGITS_MAX: usize = 5;
        /// How many payments a bulk has at most.
        BULK_ENTRIES_MAX: usize = 1000;
        /// How many days after today a payment may be dated.
        EXECUTION_DAYS_AHEAD_MAX: u64 = 365;
        /// From what value in NOK on a cross-border payment is reported to the authorities.
        REPORTING_LIMIT_NOK: i64 = 100_000;
    }
    "Pages of transactions" {
        /// How many transactions a page has where no limit is given (contract: Limits).
        PAGE_TRANSACTIONS_DEFAULT: u32 = 200;
        /// How many transactions a page may have.
        PAGE_TRANSACTIONS_MAX: u32 = 1000;
        /// How many transactions may be skipped before a page (contract: offset is an int32).
        PAGE_OFFSET_MAX: u64 = 2_147_483_647;
    }
    "PostgreSQL" {
        /// How many connections to PostgreSQL one engine has at most.
        POSTGRES_CONNECTIONS_MAX: usize = 16;
    }
}
