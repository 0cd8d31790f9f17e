package xs2a;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The library by the foreign function and memory API, for Java 22 and newer. Addresses are words of 64 bits. */
final class ForeignLibrary extends Library {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final StructLayout PIECE = MemoryLayout.structLayout(WORD, WORD);
    private static final StructLayout FIELD = MemoryLayout.structLayout(PIECE, PIECE);
    private static final StructLayout TIMING = MemoryLayout.structLayout(WORD, WORD, WORD);
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MALLOC = ofProcess("malloc", WORD, WORD);
    private static final MethodHandle FREE = LINKER.downcallHandle(
            LINKER.defaultLookup().find("free").orElseThrow(), FunctionDescriptor.ofVoid(WORD));
    private static final int ATTRIBUTES_BYTES = 256;

    private final SymbolLookup library;
    private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();

    ForeignLibrary(String name) {
        if (ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            throw new UnsatisfiedLinkError("a machine of 64 bits is needed");
        }
        // By name, as the loader of C finds it; libraryLookup(Path) takes files alone.
        library = SymbolLookup.libraryLookup(name, Arena.global());
    }

    private static MethodHandle ofProcess(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(result, arguments));
    }

    /** A handle that takes an array of arguments. A function always has the same descriptor. */
    private MethodHandle function(String name, MemoryLayout result, Object... arguments) {
        MethodHandle found = functions.get(name);
        return found != null ? found : functions.computeIfAbsent(name, missing -> link(missing, result, arguments));
    }

    private MethodHandle link(String name, MemoryLayout result, Object... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = arguments[i] instanceof Byte ? ValueLayout.JAVA_BYTE
                    : arguments[i] instanceof MemorySegment ? PIECE : WORD;
        }
        FunctionDescriptor descriptor = result == null ? FunctionDescriptor.ofVoid(layouts)
                : FunctionDescriptor.of(result, layouts);
        MemorySegment address = library.find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("xs2a: the library has no " + name));
        MethodHandle handle = LINKER.downcallHandle(address, descriptor);
        boolean givesStruct = result instanceof StructLayout;
        return handle.asSpreader(Object[].class, layouts.length)
                .asType(givesStruct ? MethodType.methodType(Object.class, SegmentAllocator.class, Object[].class)
                        : MethodType.methodType(Object.class, Object[].class));
    }

    private static Error unexpected(Throwable thrown) {
        // A downcall throws nothing of its own; what a callback would throw does not leave it.
        return thrown instanceof Error error ? error : new AssertionError(thrown);
    }

    private Object invoke(String name, MemoryLayout result, Object... arguments) {
        try {
            return (Object) function(name, result, arguments).invokeExact(arguments);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static MemorySegment segment(Arena arena, Piece piece) {
        MemorySegment segment = arena.allocate(PIECE);
        segment.set(WORD, 0, piece.address());
        segment.set(WORD, Long.BYTES, piece.length());
        return segment;
    }

    private static Piece piece(MemorySegment segment, long at) {
        return new Piece(segment.get(WORD, at), segment.get(WORD, at + Long.BYTES));
    }

    @Override
    int call(String function, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            Object[] converted = arguments.clone();
            for (int i = 0; i < converted.length; i++) {
                if (converted[i] instanceof Piece piece) {
                    converted[i] = segment(arena, piece);
                }
            }
            return (int) invoke(function, ValueLayout.JAVA_INT, converted);
        }
    }

    @Override
    long number(String function, long handle) {
        return function.equals("xs2a_response_status")
                ? (short) invoke(function, ValueLayout.JAVA_SHORT, handle) & 0xffff
                : (long) invoke(function, WORD, handle);
    }

    @Override
    long pointer(String function, long handle) {
        return (long) invoke(function, WORD, handle);
    }

    /** Calls a function that gives a struct, which {@code read} converts. */
    private <T> T struct(String function, StructLayout layout, Function<MemorySegment, T> read, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle target = function(function, layout, arguments);
            Object found = (Object) target.invokeExact((SegmentAllocator) arena, arguments);
            return read.apply((MemorySegment) found);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    Piece piece(String function, Object... arguments) {
        return struct(function, PIECE, found -> piece(found, 0), arguments);
    }

    @Override
    Piece[] pair(String function, long handle, long index) {
        return struct(function, FIELD,
                found -> new Piece[] {piece(found, 0), piece(found, PIECE.byteSize())}, handle, index);
    }

    @Override
    long[] timing(String function, long handle) {
        return struct(function, TIMING, found -> found.toArray(WORD), handle);
    }

    @Override
    void free(String function, long handle) {
        invoke(function, null, handle);
    }

    private static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    byte[] read(long address, long length) {
        return length == 0 ? new byte[0] : at(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    long allocate(long bytes) {
        try {
            return (long) MALLOC.invokeExact(bytes);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    void release(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    ByteBuffer buffer(long address, int bytes) {
        return at(address, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    @Override
    boolean has(String function) {
        return library.find(function).isPresent();
    }

    /** Stubs that C may call until their arena is closed. */
    private record KeptStubs(Arena arena, long... addresses) implements Stubs {
        @Override
        public void close() {
            arena.close();
        }
    }

    private static long stub(Arena arena, Object target, String method, MethodType type,
            FunctionDescriptor descriptor) {
        try {
            MethodHandle handle = MethodHandles.lookup().bind(target, method, type);
            return LINKER.upcallStub(handle, descriptor, arena).address();
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError(missing);
        }
    }

    /** The callbacks of a bank with the types that C calls them by. */
    private record BankStubs(BankCalls bank) {
        int call(long data, MemorySegment method, MemorySegment request, long writer) {
            return bank.call(piece(method, 0), piece(request, 0), writer);
        }

        int isRegistered(long data, MemorySegment organisationId) {
            return bank.isRegistered(piece(organisationId, 0));
        }

        long now(long data) {
            return bank.now();
        }

        void log(long data, MemorySegment level, MemorySegment target, MemorySegment message,
                MemorySegment fields) {
            bank.log(piece(level, 0), piece(target, 0), piece(message, 0), piece(fields, 0));
        }

        int revocation(long data, MemorySegment certificate, MemorySegment issuer) {
            return bank.revocation(piece(certificate, 0), piece(issuer, 0));
        }

        int sign(long data, MemorySegment certificate, MemorySegment text, long writer) {
            return bank.sign(piece(certificate, 0), piece(text, 0), writer);
        }
    }

    /** The callback of an audit, likewise. */
    private record AuditStub(AuditCalls audit) {
        int take(long data, MemorySegment line) {
            return audit.take(piece(line, 0));
        }
    }

    /** The callback of a run of due orders, likewise. */
    private record DueStub(DueCalls due) {
        int goesOn(long data) {
            return due.goesOn();
        }
    }

    @Override
    Stubs bank(BankCalls bank) {
        // Shared: the last call of an engine, which closes it, may be on any thread.
        Arena arena = Arena.ofShared();
        BankStubs target = new BankStubs(bank);
        Class<?> segment = MemorySegment.class;
        long call = stub(arena, target, "call",
                MethodType.methodType(int.class, long.class, segment, segment, long.class),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, WORD, PIECE, PIECE, WORD));
        long registry = !bank.hasRegistry() ? 0 : stub(arena, target, "isRegistered",
                MethodType.methodType(int.class, long.class, segment),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, WORD, PIECE));
        long now = !bank.hasClock() ? 0 : stub(arena, target, "now", MethodType.methodType(long.class, long.class),
                FunctionDescriptor.of(WORD, WORD));
        long log = !bank.hasLog() ? 0 : stub(arena, target, "log",
                MethodType.methodType(void.class, long.class, segment, segment, segment, segment),
                FunctionDescriptor.ofVoid(WORD, PIECE, PIECE, PIECE, PIECE));
        long revocation = !bank.hasRevocation() ? 0 : stub(arena, target, "revocation",
                MethodType.methodType(int.class, long.class, segment, segment),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, WORD, PIECE, PIECE));
        long sign = !bank.hasSigner() ? 0 : stub(arena, target, "sign",
                MethodType.methodType(int.class, long.class, segment, segment, long.class),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, WORD, PIECE, PIECE, WORD));
        return new KeptStubs(arena, call, registry, now, log, revocation, sign);
    }

    @Override
    Stubs audit(AuditCalls audit) {
        Arena arena = Arena.ofShared();
        return new KeptStubs(arena, stub(arena, new AuditStub(audit), "take",
                MethodType.methodType(int.class, long.class, MemorySegment.class),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, WORD, PIECE)));
    }

    @Override
    Stubs due(DueCalls due) {
        Arena arena = Arena.ofShared();
        return new KeptStubs(arena, stub(arena, new DueStub(due), "goesOn",
                MethodType.methodType(int.class, long.class), FunctionDescriptor.of(ValueLayout.JAVA_INT, WORD)));
    }

    @Override
    long stackBytes() {
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(ATTRIBUTES_BYTES).address();
            MemorySegment size = arena.allocate(WORD);
            long self = (long) PTHREAD_SELF.invokeExact();
            if ((int) GET_ATTRIBUTES.invokeExact(self, attributes) != 0) {
                return Long.MAX_VALUE;
            }
            int read = (int) GET_STACK_SIZE.invokeExact(attributes, size.address());
            int destroyed = (int) DESTROY_ATTRIBUTES.invokeExact(attributes);
            return size.get(WORD, 0);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static final MethodHandle PTHREAD_SELF = ofProcess("pthread_self", WORD);
    private static final MethodHandle GET_ATTRIBUTES =
            ofProcess("pthread_getattr_np", ValueLayout.JAVA_INT, WORD, WORD);
    private static final MethodHandle GET_STACK_SIZE =
            ofProcess("pthread_attr_getstacksize", ValueLayout.JAVA_INT, WORD, WORD);
    private static final MethodHandle DESTROY_ATTRIBUTES =
            ofProcess("pthread_attr_destroy", ValueLayout.JAVA_INT, WORD);
}
