package xs2a;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** A handle of the library. It is freed by close, after the last running call; a later call is an exception. */
abstract class Handle implements AutoCloseable {
    private final long pointer;
    private final Lifetime life;
    private final boolean isOwner;

    Handle(long pointer, String free) {
        this(pointer, () -> Library.get().free(free, pointer));
    }

    Handle(long pointer, Runnable free) {
        this.pointer = pointer;
        this.life = new Lifetime(free);
        this.isOwner = true;
    }

    /** A handle that is a part of another one and ends with it. */
    Handle(Handle owner, long pointer) {
        this.pointer = pointer;
        this.life = owner.life;
        this.isOwner = false;
    }

    /** Frees it; if calls are running, the last one does so when it ends. */
    @Override
    public void close() {
        if (isOwner) {
            life.close();
        }
    }

    /** Runs a call with the handle, which stays until its end. */
    final <T> T during(LongFunction<T> call) {
        life.begin();
        try {
            return call.apply(pointer);
        } finally {
            life.end();
        }
    }

    private static Object[] join(long pointer, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = pointer;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    final void call(String function, Object... arguments) {
        during(handle -> {
            Calls.call(function, join(handle, arguments));
            return null;
        });
    }

    final long number(String function, Object... arguments) {
        return during(handle -> Calls.number(function, join(handle, arguments)));
    }

    final RunReport runReport(String function, Object... arguments) {
        return during(handle ->
                RunReport.of(Calls.words(function, RunReport.WORDS, frame -> join(handle, arguments))));
    }

    final String text(String function, Object... arguments) {
        return during(handle -> Calls.text(function, join(handle, arguments)));
    }

    final byte[] bytes(String function, Object... arguments) {
        return during(handle -> Calls.bytes(function, join(handle, arguments)));
    }

    final String borrowed(String function) {
        return during(handle -> Calls.borrowed(function, handle));
    }

    final Response response(String function, Object... arguments) {
        return during(handle -> Calls.response(function, join(handle, arguments)));
    }

    /** Counts the running calls. */
    private static final class Lifetime {
        private static final long CLOSED = Long.MIN_VALUE / 2;
        private final AtomicLong calls = new AtomicLong();
        private final AtomicBoolean isFreed = new AtomicBoolean();
        private final Runnable free;

        Lifetime(Runnable free) {
            this.free = free;
        }

        void begin() {
            if (calls.incrementAndGet() < 0) {
                end();
                throw new IllegalStateException("xs2a: it is closed");
            }
        }

        void end() {
            freeAt(calls.decrementAndGet());
        }

        void close() {
            freeAt(calls.updateAndGet(count -> count < 0 ? count : count + CLOSED));
        }

        private void freeAt(long count) {
            if (count == CLOSED && isFreed.compareAndSet(false, true)) {
                free.run();
            }
        }
    }
}
