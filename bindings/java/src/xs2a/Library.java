package xs2a;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The loaded C library. Arguments of its functions are {@link Long} (a handle, an address, 64 bits), {@link Byte} and
 * {@link Piece}.
 */
abstract class Library {
    /** 256 KiB for the library, and what the frames of Java before it may take. */
    private static final long STACK_BYTES_MIN = 384 << 10;

    private static Library loaded;
    private static boolean isSandbox;

    private static final ThreadLocal<Boolean> STACK_IS_LARGE = ThreadLocal.withInitial(() -> false);

    /** Calls a function that gives an {@code xs2a_result} or an {@code int32_t}. */
    abstract int call(String function, Object... arguments);

    /** Calls a function of a handle that gives a number: {@code size_t} or {@code uint16_t}. */
    abstract long number(String function, long handle);

    /** Calls a function that gives a handle. */
    abstract long pointer(String function, long handle);

    /** Calls a function that gives a text or bytes: of a handle, also at an index, or of the library. */
    abstract Piece piece(String function, Object... arguments);

    /** Calls a function that gives a header field: its name and its value. */
    abstract Piece[] pair(String function, long handle, long index);

    /** Calls a function that gives an {@code xs2a_timing}: total, bank, store. */
    abstract long[] timing(String function, long handle);

    /** Calls a function without a result. */
    abstract void free(String function, long handle);

    abstract byte[] read(long address, long length);

    abstract long allocate(long bytes);

    abstract void release(long address);

    abstract ByteBuffer buffer(long address, int bytes);

    /** The addresses of a bank's callbacks, until it is closed: call, is_registered, now, log, revocation, sign. */
    abstract Stubs bank(BankCalls bank);

    /** The address of a callback of an audit, until it is closed. */
    abstract Stubs audit(AuditCalls audit);

    /** The address of the callback of a run of due orders, until it is closed. */
    abstract Stubs due(DueCalls due);

    /** The size of the stack of this thread, by its pthread attributes. */
    abstract long stackBytes();

    /** Callbacks that C may call. */
    interface Stubs extends AutoCloseable {
        long[] addresses();

        @Override
        void close();
    }

    /** The library for a call by this thread. */
    static Library get() {
        Library library = load(false);
        if (!STACK_IS_LARGE.get()) {
            library.checkStack();
            STACK_IS_LARGE.set(true);
        }
        return library;
    }

    /**
     * Loads the library that the property xs2a.library names. Without it, the first use decides: libxs2a_sandbox for a
     * sandbox, else libxs2a, which has none.
     */
    static synchronized Library load(boolean needsSandbox) {
        if (loaded == null) {
            String name = System.getProperty("xs2a.library",
                    (needsSandbox ? "libxs2a_sandbox.so." : "libxs2a.so.") + Result.ABI_VERSION);
            Library library = open(name);
            long found = library.call("xs2a_abi_version");
            if (found != Result.ABI_VERSION) {
                throw new UnsatisfiedLinkError("xs2a: " + name + " has the binary interface " + found + ", not "
                        + Result.ABI_VERSION);
            }
            loaded = library;
            isSandbox = library.has("xs2a_sandbox_new");
        }
        if (needsSandbox && !isSandbox) {
            throw new IllegalStateException("xs2a: libxs2a is loaded, which has no sandbox: set the property "
                    + "xs2a.library to libxs2a_sandbox.so." + Result.ABI_VERSION);
        }
        return loaded;
    }

    abstract boolean has(String function);

    private static Library open(String name) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new UnsatisfiedLinkError("xs2a: structs are written for little-endian machines");
        }
        try {
            return (Library) implementation().getDeclaredConstructor(String.class).newInstance(name);
        } catch (java.lang.reflect.InvocationTargetException failed) {
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError("xs2a: cannot load " + name + ": "
                    + failed.getCause().getMessage()).initCause(failed.getCause());
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError(missing);
        }
    }

    private static Class<?> implementation() throws ClassNotFoundException {
        if (Runtime.version().feature() >= 22 && !Boolean.getBoolean("xs2a.jna")) {
            try {
                return Class.forName("xs2a.ForeignLibrary");
            } catch (ClassNotFoundException olderCompiler) {
                // Without a JDK of 22 or later, build.sh leaves the class out.
            }
        }
        return Class.forName("xs2a.JnaLibrary");
    }

    private void checkStack() {
        long bytes = stackBytes();
        if (bytes < STACK_BYTES_MIN) {
            throw new IllegalStateException("xs2a: thread `" + Thread.currentThread().getName() + "` has a stack of "
                    + (bytes >> 10) + " KiB, and needs " + (STACK_BYTES_MIN >> 10)
                    + " KiB: pass a larger stackSize to its constructor, or -Xss512k to java");
        }
    }
}
