//! Mistakes in the value of `(request-target)`.

use super::super::mistake::Varies::Target;
use super::super::variants::targets;
use super::row::mistakes;

mistakes! {
    /// The value of `(request-target)`.
    TARGET:
    TARGET_WITHOUT_QUERY "target-without-query" Target(targets::without_query),
        "The request target was signed without its query."
        "Sign path and query as they are sent, with the question mark."
        "getPath() of Java, URL.Path of Go, `pathname` of JavaScript; apache/cxf pull request 869, \
         DavidLievrouw/HttpMessageSigning issue 10, TykTechnologies/tyk issue 3113"
        "(request-target): get /v1/accounts" "(request-target): get /v1/accounts?withBalance=true";
    TARGET_METHOD_CASE "target-method-case" Target(targets::method_case),
        "The method in the request target is not in lower case."
        "Write the method in lower case."
        "draft-cavage-http-signatures-12, section 2.3"
        "(request-target): GET /v1/accounts" "(request-target): get /v1/accounts";
    TARGET_ABSOLUTE "target-absolute" Target(targets::absolute),
        "The request target was signed as a whole URL."
        "Sign the method in lower case, a space, and path and query without scheme and host."
        "RFC 9112, section 3.2.1; URIs of HTTP clients, also of clients behind a proxy"
        "(request-target): get https://bank.example/v1/accounts" "(request-target): get /v1/accounts";
    TARGET_BASE_PATH "target-base-path" Target(targets::base_path),
        "The request target was signed with another base path than the one that arrived."
        "Sign the path that the bank receives. If a gateway adds or strips a part, sign the path behind it."
        "gateways that rewrite paths; clients that sign the path below their base URL"
        "(request-target): get /v1/accounts" "(request-target): get /psd2/v1/accounts";
    TARGET_SLASH "target-slash" Target(targets::slash),
        "The request target was signed with another slash at the beginning or at the end of the path."
        "Sign the path exactly as it is sent."
        "joins of base URL and path; frameworks that add or strip a slash at the end"
        "(request-target): get v1/accounts/" "(request-target): get /v1/accounts";
    TARGET_DECODED "target-decoded" Target(targets::decoded_once),
        "The request target was signed after its percent escapes were decoded."
        "Sign the target as it is sent, with its escapes."
        "getPath() of java.net.URI and URL.Path of Go, which decode; apache/cxf pull request 869"
        "(request-target): get /v1/accounts?from=a:b" "(request-target): get /v1/accounts?from=a%3Ab";
    TARGET_ENCODED_AGAIN "target-encoded-again" Target(targets::encoded_again),
        "The request target was signed with other percent escapes than were sent."
        "Take the target from the request as it is sent, after the client has encoded it."
        "URLs that are encoded twice; encoders that escape other characters than the HTTP client"
        "(request-target): get /v1/accounts?from=a%253Ab" "(request-target): get /v1/accounts?from=a%3Ab";
    TARGET_QUERY_ORDER "target-query-order" Target(targets::query_order),
        "The parameters of the query were signed in another order than they were sent."
        "Sign the query as it is sent."
        "canonical queries of AWS; Symfony, which sorts: 99designs/http-signatures-php pull request 31"
        "(request-target): get /v1/x?a=1&b=2" "(request-target): get /v1/x?b=2&a=1";
    TARGET_METHOD_JOINED "target-method-joined" Target(targets::without_method),
        "The request target was signed without its method, or not as method, space and target."
        "Sign the method in lower case, one space, and path and query."
        "draft-cavage-http-signatures-12, section 2.3; HTTP request lines"
        "(request-target): /v1/accounts" "(request-target): get /v1/accounts";
    TARGET_WITHOUT_NAME "target-without-name" Target(targets::without_name),
        "The line of the request target was signed without its name `(request-target)`."
        "Write the name, a colon and a space before method and target."
        "the `request-line` of early drafts; adamcin/httpsig-java issue 5"
        "get /v1/accounts" "(request-target): get /v1/accounts";
}
