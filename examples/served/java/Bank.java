import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A bank for a suite of tests: the process {@code xs2a serve}, steered by its control interface. */
final class Bank implements AutoCloseable {
    final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path folder;
    private final Process process;
    private final String url;
    private final String controlUrl;
    private String snapshot;

    /** Starts a bank whose clock does not move by itself, on free ports. */
    Bank() throws IOException, InterruptedException {
        folder = Files.createTempDirectory("xs2a-");
        Path ready = folder.resolve("bank.ready");
        process = new ProcessBuilder(
            "xs2a", "serve", "--port", "0", "--control-port", "0", "--ready-file", ready.toString(),
            "--now", "2026-09-01T10:00:00Z", "--seed", "1", "--quiet"
        ).redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<String> urls = waitFor(ready);
        url = urls.get(0);
        controlUrl = urls.get(1);
    }

    private List<String> waitFor(Path ready) throws IOException, InterruptedException {
        for (int tries = 0; tries < 600 && process.isAlive(); tries++) {
            if (Files.exists(ready)) return Files.readAllLines(ready);
            Thread.sleep(100);
        }
        close();
        throw new IOException("xs2a ended, or is not ready after 60 seconds");
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        Files.deleteIfExists(folder.resolve("bank.ready"));
        Files.delete(folder);
    }

    URI uri(String target) {
        return URI.create(url + target);
    }

    /** Calls the control interface, with a JSON text or null; returns the JSON text that it answers. */
    String controlText(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(controlUrl + path))
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new IOException(method + " " + path + ": " + answer.body());
        return answer.body();
    }

    /** The same; returns what is found in the answer. */
    Object control(String method, String path, String body, Object... found) throws Exception {
        String answer = controlText(method, path, body);
        return answer.isEmpty() ? null : Json.at(Json.read(answer), found);
    }

    /** Takes a snapshot; returns its path. */
    String takeSnapshot() throws Exception {
        return "/snapshots/" + ((Double) control("POST", "/snapshots", null, "id")).intValue();
    }

    /** What {@link #reset} restores. */
    void keep() throws Exception {
        snapshot = takeSnapshot();
    }

    /** The bank as it was at {@link #keep}. Snapshots contain no faults. */
    void reset() throws Exception {
        control("POST", snapshot + "/restore", null);
        control("DELETE", "/faults", null);
    }

    Instant now() throws Exception {
        return Instant.parse((String) control("GET", "/clock", null, "now"));
    }

    /** Does what the PSU does at the bank's site; returns the query of the callback. */
    String authorise(String scaRedirect) throws Exception {
        String body = "{\"scaRedirect\": \"%s\"}".formatted(scaRedirect);
        return URI.create((String) control("POST", "/authorise", body, "callback")).getRawQuery();
    }

    String balance(String bban) throws Exception {
        return (String) control("GET", "/ledger/" + bban, null, "balance", "amount");
    }
}
