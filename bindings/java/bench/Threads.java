import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import xs2a.Request;
import xs2a.Response;

/** Creates payments by four threads and measures the time; bench/bindings.py has the protocol of its input lines. */
final class Threads {
    private static final int THREADS = 4;
    private static int made;

    /** No two payments have the same amount, so that none is a duplicate. */
    private static List<Request> prepare(Story story, int count) {
        List<Request> requests = new ArrayList<>(count);
        while (requests.size() < count) {
            made++;
            String amount = "%d.%02d".formatted(1 + made / 100, made % 100);
            String body = Story.order(amount, "95360573037", "95360573002", Story.INVOICE);
            requests.add(story.tpp.sign(new Request("POST", Story.PAYMENTS, Story.HEADERS, Story.bytes(body))));
        }
        System.gc();
        return requests;
    }

    private static void createPart(Story story, List<Request> requests, int first) {
        for (int i = first; i < requests.size(); i += THREADS) {
            Response answer = story.bank.handle(requests.get(i));
            if (answer.status() != 201) {
                System.err.println(answer);
                System.exit(1);
            }
        }
    }

    private static long run(Story story, List<Request> requests) throws InterruptedException {
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = i;
            threads.add(new Thread(() -> createPart(story, requests, first)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return System.nanoTime() - start;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        try (Story story = new Story()) {
            List<Request> requests = List.of();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("prepare ")) {
                    requests = prepare(story, Integer.parseInt(line.substring("prepare ".length())));
                    System.out.println("ready");
                } else {
                    System.out.println(run(story, requests));
                }
            }
        }
    }
}
