package xs2a;

/**
 * What a run of due orders did.
 *
 * @param submitted how many orders the bank took
 * @param withdrawn how many are not delivered any more, because their payments ended before
 * @param failed how many failed and will be delivered again
 * @param deadLetters how many became dead letters: see {@link Engine#deadLetters}
 */
public record RunReport(long submitted, long withdrawn, long failed, long deadLetters) {
    static final int WORDS = 4;

    static RunReport of(long[] words) {
        return new RunReport(words[0], words[1], words[2], words[3]);
    }
}
