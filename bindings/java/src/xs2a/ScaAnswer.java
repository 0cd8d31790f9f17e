package xs2a;

import java.util.List;

/**
 * What the PSU does at the bank's site.
 *
 * @param customerNumber the number the PSU enters, such as {@code 13039319955}
 * @param context {@code PRIVATE} or {@code CORPORATE}; null: {@code PRIVATE}
 * @param agreement id or name of the agreement, for {@code CORPORATE}
 * @param accounts the accounts the PSU picks: bban, iban or masked PAN each; null: all that are offered
 * @param approve whether the PSU approves, and does not cancel
 */
public record ScaAnswer(String customerNumber, String context, String agreement, List<String> accounts,
        boolean approve) {
    /** A private customer approves, for all accounts. */
    public static ScaAnswer approve(String customerNumber) {
        return new ScaAnswer(customerNumber, null, null, null, true);
    }
}
