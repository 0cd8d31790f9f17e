import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Signs with the JDK as clients in Java do, and as they err. Prints lines of id, field, value. */
public final class Signer {
    private static Path folder;
    private static PrivateKey key;
    private static X509Certificate certificate;

    /** A way to turn bytes into a signature. */
    private interface Scheme {
        byte[] sign(byte[] data) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        folder = Path.of(arguments[0]);
        String pem = Files.readString(folder.resolve("seal.key")).replaceAll("-----[A-Z ]+-----|\\s", "");
        key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        try (var input = Files.newInputStream(folder.resolve("seal.pem"))) {
            certificate = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input);
        }
        keyIds();
        schemes();
        texts();
    }

    @SuppressWarnings("deprecation")
    private static void keyIds() throws Exception {
        String hex = certificate.getSerialNumber().toString(16);
        String issuer = certificate.getIssuerX500Principal().getName();
        sign("java-right", "payment", hex, issuer);
        sign("java-issuer-of-get-issuer-dn", "accounts", hex, certificate.getIssuerDN().getName());
        sign("java-serial-in-decimal", "accounts", certificate.getSerialNumber().toString(), issuer);
        sign("java-subject", "payment", hex, certificate.getSubjectX500Principal().getName());
        sign("java-spaces-removed", "accounts", hex, certificate.getIssuerDN().getName().replace(" ", ""));
    }

    private static void schemes() throws Exception {
        Base64.Encoder plain = Base64.getEncoder();
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        scheme("java-none-with-rsa", "payment", plain, data -> jca("NONEwithRSA", sha256.digest(data)));
        scheme("java-sha1-with-rsa", "accounts", plain, data -> jca("SHA1withRSA", data));
        scheme("java-sha512-with-rsa", "payment", plain, data -> jca("SHA512withRSA", data));
        scheme("java-hash-signed", "payment", plain, data -> jca("SHA256withRSA", sha256.digest(data)));
        scheme("java-rsassa-pss", "accounts", plain, Signer::pss);
        scheme("java-mime-encoder", "payment", Base64.getMimeEncoder(), data -> jca("SHA256withRSA", data));
        scheme("java-url-encoder", "accounts", Base64.getUrlEncoder(), data -> jca("SHA256withRSA", data));
    }

    private static void texts() throws Exception {
        Map<String, String> fields = fields("payment");
        String lines = lines(fields);
        show("java-utf-16", fields, lines.getBytes(StandardCharsets.UTF_16));
        show("java-tree-map", fields, lines(new TreeMap<>(fields)).getBytes(StandardCharsets.UTF_8));
        show("java-line-end-of-windows", fields, lines.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        DateTimeFormatter form = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);
        Instant now = Instant.parse("2026-10-14T09:30:00Z");
        date("java-local-time-as-gmt", form.format(now.atZone(ZoneId.of("Europe/Oslo"))));
        date("java-to-string", now.atZone(ZoneId.of("Europe/Oslo")).toString());
    }

    private static void date(String id, String date) throws Exception {
        Map<String, String> fields = fields("accounts");
        fields.put("date", date);
        System.out.println(id + "\tDate\t" + date);
        show(id, fields, lines(fields).getBytes(StandardCharsets.UTF_8));
    }

    private static void sign(String id, String call, String serial, String issuer) throws Exception {
        Map<String, String> fields = fields(call);
        byte[] signature = jca("SHA256withRSA", lines(fields).getBytes(StandardCharsets.UTF_8));
        write(id, "SN=" + serial + ",CA=" + issuer, fields, Base64.getEncoder().encodeToString(signature));
    }

    private static void scheme(String id, String call, Base64.Encoder encoder, Scheme scheme) throws Exception {
        Map<String, String> fields = fields(call);
        byte[] signature = scheme.sign(lines(fields).getBytes(StandardCharsets.UTF_8));
        // A library that sends the value folds its line breaks into spaces.
        write(id, keyId(), fields, encoder.encodeToString(signature).replace("\r\n", " "));
    }

    private static void show(String id, Map<String, String> fields, byte[] text) throws Exception {
        write(id, keyId(), fields, Base64.getEncoder().encodeToString(jca("SHA256withRSA", text)));
    }

    private static void write(String id, String keyId, Map<String, String> fields, String signature) {
        System.out.println(id + "\tSignature\tkeyId=\"" + keyId + "\",algorithm=\"rsa-sha256\",headers=\""
            + String.join(" ", fields.keySet()) + "\",signature=\"" + signature + "\"");
    }

    private static byte[] jca(String algorithm, byte[] data) throws Exception {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(data);
        return signature.sign();
    }

    private static byte[] pss(byte[] data) throws Exception {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        signature.initSign(key);
        signature.update(data);
        return signature.sign();
    }

    private static String keyId() throws Exception {
        return Files.readString(folder.resolve("key-id"));
    }

    /** The fields to sign, as make.py writes them: a name and a value in each line. */
    private static Map<String, String> fields(String call) throws Exception {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : Files.readAllLines(folder.resolve(call + ".fields"))) {
            fields.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1));
        }
        return fields;
    }

    private static String lines(Map<String, String> fields) {
        return fields.entrySet().stream().map(field -> field.getKey() + ": " + field.getValue())
            .collect(Collectors.joining("\n"));
    }
}
