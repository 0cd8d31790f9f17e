//! What the pages say, in both languages. `{0}` and `{1}` are placeholders.

use crate::reason::Language;

/// A text in English and Bokmål.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phrase {
    en: &'static str,
    nb: &'static str,
}

impl Phrase {
    /// The text in a language.
    pub(super) fn text(self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::Bokmal => self.nb,
        }
    }

    /// The text with something in its places.
    pub(super) fn with(self, language: Language, arguments: &[&str]) -> String {
        let mut parts = self.text(language).split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (place, rest) = part.split_once('}').unwrap_or(("", part));
            let argument = place.parse().ok().and_then(|index: usize| arguments.get(index));
            filled.push_str(argument.copied().unwrap_or_default());
            filled.push_str(rest);
        }
        filled
    }
}

macro_rules! phrases {
    ($( $name:ident $en:literal $nb:literal; )+) => {
        $( pub(super) const $name: Phrase = Phrase { en: $en, nb: $nb }; )+

        #[cfg(test)]
        const ALL: &[Phrase] = &[ $( $name, )+ ];
    };
}

phrases! {
    BANK "Sandbox bank" "Sandkassebanken";
    TEST_BANK
        "This is a test bank. No person here is real, and no real money moves."
        "Dette er en testbank. Ingen her er ekte, og ingen ekte penger flyttes.";
    ERROR_PREFIX "Error: " "Feil: ";
    PROBLEM "There is a problem" "Noe er galt";
    DEADLINE
        "Answer before {0} Norwegian time. After that the link no longer works."
        "Svar før kl. {0} norsk tid. Etter det virker ikke lenken lenger.";

    ASKS_PAYMENT "{0} asks you to approve a payment." "{0} ber deg godkjenne en betaling.";
    ASKS_PAYMENTS "{0} asks you to approve several payments." "{0} ber deg godkjenne flere betalinger.";
    ASKS_CANCELLATION "{0} asks you to stop a payment." "{0} ber deg stoppe en betaling.";
    ASKS_CANCELLATIONS "{0} asks you to stop several payments." "{0} ber deg stoppe flere betalinger.";
    ASKS_CONSENT "{0} asks to see your accounts." "{0} ber om å få se kontoene dine.";
    ASKS_IDENTIFICATION "{0} asks you to confirm who you are." "{0} ber deg bekrefte hvem du er.";

    KNOWN_AS "You may know {0} as {1}." "Du kjenner kanskje {0} som {1}.";

    IDENTIFY_TITLE "Confirm who you are" "Bekreft hvem du er";
    CUSTOMER_NUMBER "National identity number" "Fødselsnummer";
    CUSTOMER_NUMBER_HINT
        "The made-up number of a test customer: 6 to 11 digits."
        "Det oppdiktede nummeret til en testkunde: 6 til 11 sifre.";
    TEST_CUSTOMERS "Test customers you can enter" "Testkunder du kan skrive inn";
    MORE_TEST_CUSTOMERS
        "Other private customers of this bank can be entered too."
        "Andre privatkunder i denne banken kan også skrives inn.";
    SIGNED_IN "Signed in as {0} ({1})" "Logget inn som {0} ({1})";
    CUSTOMER_NUMBER_EMPTY "Enter the number of a test customer" "Skriv inn nummeret til en testkunde";
    CUSTOMER_NUMBER_MALFORMED
        "The number must have 6 to 11 digits and nothing else"
        "Nummeret må ha 6 til 11 sifre og ikke noe annet";
    CONTINUE "Continue" "Fortsett";
    CANCEL "Cancel" "Avbryt";

    ROLE_TITLE "Who do you act for?" "Hvem opptrer du på vegne av?";
    MYSELF "Myself" "Meg selv";
    ROLE_MISSING "Choose who you act for" "Velg hvem du opptrer på vegne av";
    NO_ROLE_TITLE "You cannot act for a company" "Du kan ikke opptre på vegne av et foretak";
    NO_ROLE
        "{0} asks you to act for a company, and you have no agreement that lets you. Cancel to go back."
        "{0} ber deg opptre på vegne av et foretak, og du har ingen avtale som gir deg lov. Avbryt for å gå \
         tilbake.";

    ACTING_FOR "You act for" "Du opptrer på vegne av";

    PAYMENT_TITLE "Approve payment" "Godkjenn betaling";
    PAYMENTS_TITLE "Approve {0} payments" "Godkjenn {0} betalinger";
    NOTHING_TO_APPROVE_TITLE "Nothing to approve" "Ingenting å godkjenne";
    NOTHING_TO_APPROVE
        "No payment waits for your approval any more. Cancel to go back."
        "Ingen betaling venter på godkjenningen din lenger. Avbryt for å gå tilbake.";
    CANCELLATION_TITLE "Stop this payment?" "Stoppe denne betalingen?";
    CANCELLATIONS_TITLE "Stop these {0} payments?" "Stoppe disse {0} betalingene?";
    IDENTIFICATION_TITLE "Confirm that it is you" "Bekreft at det er deg";
    APPROVE_PAYMENT "Approve payment" "Godkjenn betalingen";
    APPROVE_PAYMENTS "Approve payments" "Godkjenn betalingene";
    STOP_PAYMENT "Yes, stop it" "Ja, stopp";
    STOP_PAYMENTS "Yes, stop them" "Ja, stopp dem";
    KEEP_PAYMENT "No, let it be" "Nei, la den være";
    KEEP_PAYMENTS "No, let them be" "Nei, la dem være";
    CONFIRM "Confirm" "Bekreft";
    IDENTIFICATION_TEXT
        "{0} learns that it is you, and gets to see no account."
        "{0} får vite at det er deg, og får ikke se noen konto.";

    AMOUNT "Amount" "Beløp";
    TOTAL "In all" "Til sammen";
    PAYEE "To" "Til";
    PAYEE_ACCOUNT "To account" "Til konto";
    PAYEE_BANK "Bank" "Bank";
    PAYER_ACCOUNT "From account" "Fra konto";
    ON_BEHALF_OF "On behalf of" "På vegne av";
    MESSAGE "Message" "Melding";
    REFERENCE "Reference" "Referanse";
    FEE "Fee" "Gebyr";
    EXECUTION_DATE "Date" "Dato";
    AT_ONCE "As soon as possible" "Så snart som mulig";
    THE_PAYMENTS "The payments" "Betalingene";

    FREQUENCY "How often" "Hvor ofte";
    ANNUAL "Every year" "Hvert år";
    DAILY "Every day" "Hver dag";
    EVERY_TWO_MONTHS "Every two months" "Annenhver måned";
    EVERY_TWO_WEEKS "Every two weeks" "Annenhver uke";
    MONTHLY "Every month" "Hver måned";
    MONTHLY_VARIABLE "Every month, on changing days" "Hver måned, på skiftende dager";
    QUARTERLY "Every three months" "Hver tredje måned";
    SEMI_ANNUAL "Every six months" "Hvert halvår";
    WEEKLY "Every week" "Hver uke";
    FIRST_DATE "First time" "Første gang";
    LAST_DATE "Last time" "Siste gang";
    UNTIL_STOPPED "Until it is stopped" "Til den stoppes";
    DAY_OF_MONTH "Day of the month" "Dag i måneden";
    NO_BANKING_DAY "Where that is no banking day" "Når det ikke er en bankdag";
    FOLLOWING "On the banking day after" "Bankdagen etter";
    PRECEDING "On the banking day before" "Bankdagen før";

    CONSENT_TITLE "Let {0} see your accounts" "La {0} se kontoene dine";
    CONSENT_TEXT
        "{0} gets to see names, balances and transactions of what you choose here for {1} days, and cannot move \
         money with it. You can take it back at any time."
        "{0} får se navn, saldo og transaksjoner for det du velger her i {1} dager, og kan ikke flytte penger \
         med det. Du kan trekke det tilbake når som helst.";
    ACCOUNTS "Accounts" "Kontoer";
    CARDS "Cards" "Kort";
    ACCOUNT_NAMELESS "Account" "Konto";
    CARD_NAMELESS "Card" "Kort";
    APPROVE_CONSENT "Give access" "Gi tilgang";
    NOTHING_CHOSEN "Choose at least one account or card" "Velg minst én konto eller ett kort";
    NOTHING_TO_CHOOSE
        "You have no account or card that you could choose. Cancel to go back."
        "Du har ingen konto og ikke noe kort du kan velge. Avbryt for å gå tilbake.";

    UNKNOWN_TITLE "There is no such link" "Denne lenken finnes ikke";
    UNKNOWN
        "The bank does not know it. It may have been used, or have ended, more than {0} hours ago. Go back to where \
         you came from, and check its status before you start again."
        "Banken kjenner den ikke. Den kan ha blitt brukt eller gått ut for mer enn {0} timer siden. Gå tilbake dit du \
         kom fra, og se hvordan det gikk før du begynner på nytt.";
    USED_TITLE "This link was used already" "Denne lenken er brukt";
    USED
        "The answer was received. Go back to where you came from to see what became of it."
        "Svaret er mottatt. Gå tilbake dit du kom fra for å se hvordan det gikk.";
    EXPIRED_TITLE "This link no longer works" "Denne lenken virker ikke lenger";
    EXPIRED
        "It is older than {0} minutes. Go back to where you came from and start again."
        "Den er eldre enn {0} minutter. Gå tilbake dit du kom fra og begynn på nytt.";
    FOREIGN_TITLE "This did not come from our page" "Dette kom ikke fra siden vår";
    FOREIGN
        "Something else than this bank's own page sent the answer, so it was not taken. Open the link again."
        "Noe annet enn bankens egen side sendte svaret, så det ble ikke tatt imot. Åpne lenken på nytt.";
    MALFORMED_TITLE "The form could not be read" "Skjemaet kunne ikke leses";
    FIELD_MISSING "The field {0} is missing." "Feltet {0} mangler.";
    FIELD_REPEATED "The field {0} occurs more than once." "Feltet {0} forekommer mer enn én gang.";
    FIELD_FOREIGN "The field {0} does not belong to this form." "Feltet {0} hører ikke til dette skjemaet.";
    FIELD_VALUE
        "The field {0} has a value that was not offered."
        "Feltet {0} har en verdi som ikke ble tilbudt.";
    TOO_LARGE_TITLE "The form is too large" "Skjemaet er for stort";
    TOO_LARGE "It may have {0} bytes." "Det kan ha {0} byte.";
    MEDIA_TYPE_TITLE "This is not a form" "Dette er ikke et skjema";
    MEDIA_TYPE
        "The page takes application/x-www-form-urlencoded."
        "Siden tar imot application/x-www-form-urlencoded.";
    METHOD_TITLE "This page can be read and answered" "Denne siden kan leses og besvares";
    METHOD "It takes GET and POST." "Den tar imot GET og POST.";
    FAULT_TITLE "Something went wrong at the bank" "Noe gikk galt i banken";
    FAULT "Try again in a moment." "Prøv igjen om et øyeblikk.";
    LEAVE_TITLE "You are sent back" "Du sendes tilbake";
    LEAVE "Go on if nothing happens." "Gå videre hvis ingenting skjer.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_has_both_languages_and_the_same_places_in_each() {
        for phrase in ALL {
            assert!(!phrase.en.is_empty() && !phrase.nb.is_empty(), "{phrase:?}");
            for place in ["{0}", "{1}"] {
                assert_eq!(phrase.en.contains(place), phrase.nb.contains(place), "{phrase:?}");
            }
        }
    }

    #[test]
    fn arguments_are_put_in_their_places_and_not_read_again() {
        for language in Language::ALL {
            assert!(ASKS_CONSENT.with(language, &["{0} & <Co>"]).starts_with("{0} & <Co> "));
            assert!(!ASKS_CONSENT.with(language, &[]).contains('{'));
        }
    }
}
