//! Mistakes in the signing string as a whole.

use super::super::mistake::Varies::{Layout, Names, Text};
use super::super::variants::{layouts, names, order, texts};
use super::row::mistakes;

mistakes! {
    /// Lines and names of the signing string, and the whole of it.
    SIGNING_STRING:
    TRAILING_NEWLINE "trailing-newline" Layout(layouts::trailing_newline),
        "The signed text ends in a line break."
        "Put line breaks between the lines only, none after the last one."
        "draft-cavage-http-signatures-12, section 2.3, step 2; println, heredocs and `echo` before `openssl dgst`"
        r"date: …\nx-request-id: …\n" r"date: …\nx-request-id: …";
    ORDER_DIFFERS "order-differs" Names(order::order_differs),
        "The lines were signed in another order than the `headers` part lists them."
        "Build the signing string from the same list, in the same order, as the `headers` part."
        "draft-cavage-http-signatures-12, section 2.3; unordered maps: HashMap, dict, map of Go"
        r#"headers="date digest", signed: digest: …\ndate: …"# r#"headers="date digest", signed: date: …\ndigest: …"#;
    NAMES_NOT_LOWER_CASE "names-not-lower-case" Names(names::not_lower_case),
        "The names of headers in the signed text are not in lower case."
        "Write every name in the signing string in lower case, as you spell it elsewhere or not."
        "draft-cavage-http-signatures-12, section 2.3, step 1; canonical names of Go's net/http and of .NET"
        r"Date: …\nX-Request-ID: …" r"date: …\nx-request-id: …";
    LISTED_NOT_SIGNED "listed-not-signed" Names(names::listed_not_signed),
        "The `headers` part lists a header whose line is not in the signed text."
        "Sign a line for every name in the `headers` part, also for an empty value."
        "draft-cavage-http-signatures-12, section 2.3; clients that skip headers without a value"
        r#"headers="date digest psu-id", signed: date: …\ndigest: …"# r"date: …\ndigest: …\npsu-id: …";
    SIGNED_NOT_LISTED "signed-not-listed" Names(names::signed_not_listed),
        "The signed text has a line of a header that the `headers` part does not list."
        "List every name that you sign in the `headers` part, or leave the line out of the text."
        "draft-cavage-http-signatures-12, section 2.1.6; clients that sign `(request-target)` by default"
        r#"headers="date", signed: (request-target): …\ndate: …"# r#"headers="(request-target) date""#;
    LISTED_NOT_SENT "listed-not-sent" Names(names::listed_not_sent),
        "The `headers` part lists a header that did not arrive."
        "Send every header that you sign; if you do, look for the proxy that removes it."
        "draft-cavage-http-signatures-12, section 2.3, step 3; gateways that drop headers"
        r#"headers="date psu-id", without PSU-ID"# r#"headers="date psu-id", PSU-ID: …"#;
    LINE_ENDS_CRLF "line-ends-crlf" Layout(layouts::line_ends_crlf),
        "The lines of the signed text end in CR LF."
        "Separate the lines by one LF (`\\n`), not by the line end of your platform."
        "draft-cavage-http-signatures-12, section 2.3; System.lineSeparator, Environment.NewLine, PHP_EOL on Windows"
        r"date: …\r\nx-request-id: …" r"date: …\nx-request-id: …";
    NO_SPACE_AFTER_COLON "no-space-after-colon" Layout(layouts::no_space_after_colon),
        "The signed text has no space between the colon and the value."
        "Write a colon and one space between name and value."
        "draft-cavage-http-signatures-12, section 2.3, step 1; the canonical headers of AWS have no space"
        r"date:Fri, 20 Nov 2026 12:00:00 GMT" r"date: Fri, 20 Nov 2026 12:00:00 GMT";
    VALUES_ONLY "values-only" Layout(layouts::values_only),
        "The signed text has the values of the headers without their names."
        "Sign lines of name, colon, space and value."
        "schemes that sign values alone, such as those of many webhooks"
        r"Fri, 20 Nov 2026 12:00:00 GMT\n99391c7e-…" r"date: Fri, 20 Nov 2026 12:00:00 GMT\nx-request-id: 99391c7e-…";
    LEADING_NEWLINE "leading-newline" Layout(layouts::leading_newline),
        "The signed text begins with a line break."
        "Begin the signing string with the first name."
        "text blocks that begin in the next line; TritonDataCenter/node-http-signature pull requests 85 and 122"
        r"\ndate: …" r"date: …";
    LINES_JOINED_OTHERWISE "lines-joined-otherwise" Layout(layouts::lines_joined_otherwise),
        "The lines of the signed text are joined by something other than one line break."
        "Separate the lines by one LF (`\\n`)."
        "`\\n` in single quotes of PHP and shells; joins by commas or spaces"
        r"date: …, x-request-id: …" r"date: …\nx-request-id: …";
    COLON_DIFFERS "colon-differs" Layout(layouts::other_colon),
        "Name and value are separated by something other than a colon and one space."
        "Write a colon and one space between name and value."
        "draft-cavage-http-signatures-12, section 2.3, step 1; query strings and HTTP dumps"
        "date=Fri, 20 Nov 2026 12:00:00 GMT" "date: Fri, 20 Nov 2026 12:00:00 GMT";
    TEXT_CHARSET "text-charset" Text(texts::charset),
        "The text was signed in another charset than UTF-8."
        "Encode the signing string as UTF-8 without a byte order mark before you sign it."
        "Encoding.Unicode of .NET, getBytes() of Java with a default charset, files with a byte order mark"
        r"d\0a\0t\0e\0:\0 …" "date: …";
    TEXT_ENCODED "text-encoded" Text(texts::encoded),
        "The text was encoded in base64, hexadecimal or percent escapes before it was signed."
        "Sign the signing string itself; only the signature is encoded in base64."
        "libraries whose sign function takes base64"
        "sign(base64(text))" "sign(text)";
    BODY_SIGNED "body-signed" Text(texts::body_signed),
        "The body, or its hash, was signed instead of the signing string or together with it."
        "Sign the signing string alone; it covers the body by its line `digest`."
        "schemes of webhooks, and JWS with a detached payload"
        "sign(body)" "sign(signing string)";
}
