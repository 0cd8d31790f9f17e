//! Mistakes in Date.

use super::super::mistake::Varies::Shown;
use super::row::mistakes;

mistakes! {
    /// What Date says.
    DATE:
    DATE_LOCAL_TIME_AS_GMT "date-local-time-as-gmt" Shown,
        "Date is the local time with the letters GMT."
        "Convert the time to UTC before you format it."
        "RFC 9110, section 5.6.7; SimpleDateFormat, strftime and date() in the local zone"
        "Fri, 20 Nov 2026 13:00:00 GMT at 12:00 UTC" "Fri, 20 Nov 2026 12:00:00 GMT";
    DATE_STALE "date-stale" Shown,
        "Date is too far from the bank's clock."
        "Set your clock by NTP, and sign a call just before you send it."
        "clocks that are not set; requests that are signed once and sent again"
        "Date: … 12:00:00 GMT at 12:05 UTC" "Date: … 12:05:00 GMT";
    DATE_FORM "date-form" Shown,
        "Date is not an HTTP date."
        "Write it as `Fri, 20 Nov 2026 12:00:00 GMT`, in English."
        "RFC 9110, section 5.6.7; ISO 8601 and names of days in other languages"
        "2026-11-20T12:00:00Z" "Fri, 20 Nov 2026 12:00:00 GMT";
}
