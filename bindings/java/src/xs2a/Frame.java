package xs2a;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of C for the arguments of one call. Every struct of the interface is a row of words of 8 bytes: a number in
 * its low bytes, an address, or address and length; bindings/layout.c has the compiler check that.
 */
final class Frame implements AutoCloseable {
    private static final int WORD = 8;
    private static final int CHUNK_BYTES = 8 << 10;

    private final Library library;
    private final List<Long> chunks = new ArrayList<>(2);
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private long address;

    Frame(Library library) {
        this.library = library;
    }

    @Override
    public void close() {
        chunks.forEach(library::release);
    }

    /** The place of so many bytes in {@link #buffer}. */
    private int reserve(int bytes) {
        int at = (buffer.position() + WORD - 1) / WORD * WORD;
        if (chunks.isEmpty() || buffer.capacity() - at < bytes) {
            int size = Math.max(CHUNK_BYTES, bytes);
            address = library.allocate(size);
            if (address == 0) {
                throw new OutOfMemoryError("xs2a: " + size + " bytes of C memory");
            }
            chunks.add(address);
            buffer = library.buffer(address, size).order(ByteOrder.LITTLE_ENDIAN);
            at = 0;
        }
        buffer.position(at + bytes);
        return at;
    }

    /** Words that C writes, zero until then. */
    long words(int count) {
        int at = reserve(count * WORD);
        for (int i = 0; i < count; i++) {
            buffer.putLong(at + i * WORD, 0);
        }
        return address + at;
    }

    long word(long at) {
        return library.buffer(at, WORD).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
    }

    Piece bytes(byte[] bytes) {
        if (bytes == null) {
            return Piece.ABSENT;
        }
        int at = reserve(Math.max(bytes.length, 1));
        buffer.put(at, bytes);
        return new Piece(address + at, bytes.length);
    }

    /** UTF-8; null is absent, and an empty text is not. */
    Piece text(String text) {
        return text == null ? Piece.ABSENT : bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A struct, which begins with its size. */
    long struct(Object... members) {
        return row(true, members);
    }

    /** Words one after the other; 0 where there are none. */
    long array(List<?> members) {
        return members.isEmpty() ? 0 : row(false, members.toArray());
    }

    private long row(boolean hasSize, Object... members) {
        List<Long> words = new ArrayList<>(members.length * 2 + 1);
        if (hasSize) {
            words.add(0L);
        }
        for (Object member : members) {
            Object given = argument(member);
            if (given instanceof Piece piece) {
                words.add(piece.address());
                words.add(piece.length());
            } else {
                words.add(((Number) given).longValue());
            }
        }
        if (hasSize) {
            words.set(0, (long) words.size() * WORD);
        }
        int at = reserve(words.size() * WORD);
        for (int i = 0; i < words.size(); i++) {
            buffer.putLong(at + i * WORD, words.get(i));
        }
        return address + at;
    }

    long headers(List<Header> headers) {
        List<Piece> pieces = new ArrayList<>(headers.size() * 2);
        for (Header header : headers) {
            pieces.add(text(header.name()));
            pieces.add(bytes(latin1(header)));
        }
        return array(pieces);
    }

    private static byte[] latin1(Header header) {
        if (header.value().chars().anyMatch(character -> character > 0xff)) {
            throw new IllegalArgumentException("xs2a: the value of header " + header.name()
                    + " has a character above U+00FF");
        }
        return header.value().getBytes(StandardCharsets.ISO_8859_1);
    }

    long request(Request request) {
        return struct(request.method(), request.target(), headers(request.headers()), request.headers().size(),
                bytes(request.body()), request.correlationId());
    }

    /** An argument of a call as C takes it. */
    Object argument(Object given) {
        if (given == null || given instanceof String) {
            return text((String) given);
        } else if (given instanceof byte[] bytes) {
            return bytes(bytes);
        } else if (given instanceof Request request) {
            return request(request);
        } else if (given instanceof Boolean flag) {
            return (byte) (flag ? 1 : 0);
        } else if (given instanceof Integer number) {
            return number.longValue();
        }
        return given;
    }
}
