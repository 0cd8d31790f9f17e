package xs2a;

/** An address with a length: {@code xs2a_str} and {@code xs2a_slice}. */
record Piece(long address, long length) {
    static final Piece ABSENT = new Piece(0, 0);
}
