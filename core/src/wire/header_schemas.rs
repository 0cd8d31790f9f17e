//! What the values of call headers look like: a function for each form that [`super::call_headers`] reads, by its name.

use super::schema::Schema;
use crate::limits::SESSION_ID_BYTES_MAX;

pub(super) fn names() -> Schema {
    Schema::text()
}

pub(super) fn uuid() -> Schema {
    Schema::format("uuid")
}

pub(super) fn request_id() -> Schema {
    Schema::pattern("^[!-~]{1,64}$")
}

pub(super) fn session_id() -> Schema {
    Schema::text_of(1, SESSION_ID_BYTES_MAX)
}

pub(super) fn redirect_uri() -> Schema {
    Schema::format("uri")
}

pub(super) fn boolean() -> Schema {
    Schema::one_of(["true", "false"])
}

pub(super) fn any() -> Schema {
    Schema::text()
}

pub(super) fn identity_number() -> Schema {
    Schema::pattern("^[0-9]{11}$")
}

pub(super) fn context() -> Schema {
    Schema::one_of(["PRIVATE", "CORPORATE"])
}

pub(super) fn ip_address() -> Schema {
    Schema::any_of([Schema::format("ipv4"), Schema::format("ipv6")])
}

pub(super) fn port() -> Schema {
    Schema::pattern("^0*[1-9][0-9]{0,4}$")
}

pub(super) fn method() -> Schema {
    Schema::one_of(["GET", "POST", "PUT", "PATCH", "DELETE"])
}

pub(super) fn geo_location() -> Schema {
    Schema::pattern("^GEO:-?[0-9]{1,3}(\\.[0-9]{1,15})?,-?[0-9]{1,3}(\\.[0-9]{1,15})?$")
}

pub(super) fn forwarded() -> Schema {
    Schema::text()
}

pub(super) fn brand() -> Schema {
    Schema::text()
}
