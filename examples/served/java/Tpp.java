import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;

/** A TPP: signs its requests with java.security and sends them to the bank. */
final class Tpp {
    private static final List<String> MUST_BE_SIGNED =
        List.of("Date", "Digest", "X-Request-ID", "PSU-ID", "TPP-Redirect-URI");
    // Always two digits for the day, unlike RFC_1123_DATE_TIME.
    private static final DateTimeFormatter HTTP_DATE =
        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    final String organisationId;
    private final Bank bank;
    private final X509Certificate certificate;
    private final PrivateKey key;

    /** A status and the JSON of a body. */
    record Answer(int status, Object json) {
        Object at(Object... path) {
            return Json.at(json, path);
        }
    }

    /** Registers a TPP; the bank's test PKI makes its certificate and key. */
    Tpp(Bank bank, String name) throws Exception {
        this.bank = bank;
        String body = "{\"name\": \"%s\", \"roles\": [\"AISP\", \"PISP\"]}".formatted(name);
        Object made = bank.control("POST", "/tpps", body);
        organisationId = (String) Json.at(made, "organisationId");
        byte[] pem = ((String) Json.at(made, "certificatePem")).getBytes(StandardCharsets.US_ASCII);
        certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem));
        String base64 = ((String) Json.at(made, "privateKeyPem")).replaceAll("-----[^-]*-----|\\s", "");
        key = KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    Answer get(String target, String psuId) throws Exception {
        return send("GET", target, null, psuId, text -> text);
    }

    Answer post(String target, String body) throws Exception {
        return send("POST", target, body, null, text -> text);
    }

    /** Sends a signed request. Body and PSU-ID may be null; {@code spoil} changes the text that is signed. */
    Answer send(String method, String target, String body, String psuId, UnaryOperator<String> spoil)
            throws Exception {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-accept-fix", "");
        headers.put("TPP-Session-ID", "session-1");
        headers.put("TPP-Redirect-URI", "https://tpp.example/callback?state=42");
        headers.put("PSU-Context", "PRIVATE");
        headers.put("PSU-IP-Address", "192.0.2.1");
        headers.put("Date", HTTP_DATE.format(bank.now()));
        headers.put("X-Request-ID", UUID.randomUUID().toString());
        if (psuId != null) headers.put("PSU-ID", psuId);
        if (body != null) {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
            headers.put("Content-Type", "application/json");
            headers.put("Digest", "SHA-256=" + base64(hash));
        }
        sign(headers, spoil);
        HttpRequest.Builder request = HttpRequest.newBuilder(bank.uri(target))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        HttpResponse<String> answer = bank.http.send(request.build(), BodyHandlers.ofString());
        return new Answer(answer.statusCode(), Json.read(answer.body()));
    }

    /** Adds the two headers that a signed request has more. */
    private void sign(Map<String, String> headers, UnaryOperator<String> spoil) throws Exception {
        List<String> names = MUST_BE_SIGNED.stream().filter(headers::containsKey).toList();
        String text = names.stream()
            .map(name -> name.toLowerCase(Locale.ROOT) + ": " + headers.get(name))
            .collect(Collectors.joining("\n"));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(spoil.apply(text).getBytes(StandardCharsets.UTF_8));
        headers.put("TPP-Signature-Certificate", base64(certificate.getEncoded()));
        headers.put("Signature", "keyId=\"SN=%x,CA=%s\",algorithm=\"rsa-sha256\",headers=\"%s\",signature=\"%s\""
            .formatted(
                certificate.getSerialNumber(),
                certificate.getIssuerX500Principal().getName(X500Principal.RFC2253),
                String.join(" ", names).toLowerCase(Locale.ROOT),
                base64(signature.sign())
            ));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
