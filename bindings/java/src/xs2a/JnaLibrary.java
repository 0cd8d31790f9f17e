package xs2a;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The library by JNA. */
final class JnaLibrary extends Library {
    private static final int ATTRIBUTES_BYTES = 256;

    /** {@code xs2a_str} and {@code xs2a_slice} by value. */
    @Structure.FieldOrder({"address", "length"})
    public static class Part extends Structure implements Structure.ByValue {
        public long address;
        public long length;

        public Part() {
            super(ALIGN_NONE);
        }

        Part(Piece piece) {
            super(ALIGN_NONE);
            address = piece.address();
            length = piece.length();
        }

        Piece piece() {
            return new Piece(address, length);
        }
    }

    /** {@code xs2a_header} by value. */
    @Structure.FieldOrder({"name", "nameLength", "value", "valueLength"})
    public static class Field extends Structure implements Structure.ByValue {
        public long name;
        public long nameLength;
        public long value;
        public long valueLength;
    }

    /** {@code xs2a_timing} by value. */
    @Structure.FieldOrder({"total", "bank", "store"})
    public static class Times extends Structure implements Structure.ByValue {
        public long total;
        public long bank;
        public long store;
    }

    /** The callbacks {@code call} and {@code sign}. */
    public interface Call extends Callback {
        int invoke(Pointer data, Part first, Part second, Pointer answer);
    }

    /** The callbacks {@code is_registered} and {@code take_line}. */
    public interface Text extends Callback {
        int invoke(Pointer data, Part text);
    }

    /** The callback {@code now}. */
    public interface Now extends Callback {
        long invoke(Pointer data);
    }

    /** The callback {@code goes_on}. */
    public interface GoesOn extends Callback {
        int invoke(Pointer data);
    }

    /** The callback {@code log}. */
    public interface Log extends Callback {
        void invoke(Pointer data, Part level, Part target, Part message, Part fields);
    }

    /** The callback {@code revocation}. */
    public interface Revocation extends Callback {
        int invoke(Pointer data, Part certificate, Part issuer);
    }

    private final NativeLibrary library;
    private final Map<String, Function> functions = new ConcurrentHashMap<>();

    JnaLibrary(String name) {
        if (Native.POINTER_SIZE != Long.BYTES) {
            throw new UnsatisfiedLinkError("a machine of 64 bits is needed");
        }
        library = NativeLibrary.getInstance(name);
    }

    private Function function(String name) {
        return functions.computeIfAbsent(name, library::getFunction);
    }

    private static Object[] converted(Object... arguments) {
        Object[] converted = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            converted[i] = arguments[i] instanceof Piece piece ? new Part(piece) : arguments[i];
        }
        return converted;
    }

    @Override
    int call(String function, Object... arguments) {
        return function(function).invokeInt(converted(arguments));
    }

    @Override
    long number(String function, long handle) {
        Object[] arguments = {handle};
        return function.equals("xs2a_response_status")
                ? function(function).invokeInt(arguments) & 0xffff
                : function(function).invokeLong(arguments);
    }

    @Override
    long pointer(String function, long handle) {
        return function(function).invokeLong(new Object[] {handle});
    }

    @Override
    Piece piece(String function, Object... arguments) {
        return ((Part) function(function).invoke(Part.class, arguments)).piece();
    }

    @Override
    Piece[] pair(String function, long handle, long index) {
        Field field = (Field) function(function).invoke(Field.class, new Object[] {handle, index});
        return new Piece[] {new Piece(field.name, field.nameLength), new Piece(field.value, field.valueLength)};
    }

    @Override
    long[] timing(String function, long handle) {
        Times times = (Times) function(function).invoke(Times.class, new Object[] {handle});
        return new long[] {times.total, times.bank, times.store};
    }

    @Override
    void free(String function, long handle) {
        function(function).invokeVoid(new Object[] {handle});
    }

    @Override
    byte[] read(long address, long length) {
        return length == 0 ? new byte[0] : new Pointer(address).getByteArray(0, Math.toIntExact(length));
    }

    @Override
    long allocate(long bytes) {
        return Native.malloc(bytes);
    }

    @Override
    void release(long address) {
        Native.free(address);
    }

    @Override
    ByteBuffer buffer(long address, int bytes) {
        return new Pointer(address).getByteBuffer(0, bytes);
    }

    @Override
    boolean has(String function) {
        try {
            return library.getFunction(function) != null;
        } catch (UnsatisfiedLinkError missing) {
            return false;
        }
    }

    /** JNA frees the code of a callback when its object is collected, so these hold the objects. */
    private record KeptCallbacks(Callback... callbacks) implements Stubs {
        @Override
        public long[] addresses() {
            long[] addresses = new long[callbacks.length];
            for (int i = 0; i < callbacks.length; i++) {
                addresses[i] = Pointer.nativeValue(CallbackReference.getFunctionPointer(callbacks[i]));
            }
            return addresses;
        }

        @Override
        public void close() {}
    }

    @Override
    Stubs bank(BankCalls bank) {
        Call call = (data, method, request, answer) ->
                bank.call(method.piece(), request.piece(), Pointer.nativeValue(answer));
        Text registry = (data, organisationId) -> bank.isRegistered(organisationId.piece());
        Now now = data -> bank.now();
        Log log = (data, level, target, message, fields) ->
                bank.log(level.piece(), target.piece(), message.piece(), fields.piece());
        Revocation revocation = (data, certificate, issuer) -> bank.revocation(certificate.piece(), issuer.piece());
        Call sign = (data, certificate, text, signature) ->
                bank.sign(certificate.piece(), text.piece(), Pointer.nativeValue(signature));
        return new KeptCallbacks(call, bank.hasRegistry() ? registry : null, bank.hasClock() ? now : null,
                bank.hasLog() ? log : null, bank.hasRevocation() ? revocation : null, bank.hasSigner() ? sign : null);
    }

    @Override
    Stubs audit(AuditCalls audit) {
        Text takeLine = (data, line) -> audit.take(line.piece());
        return new KeptCallbacks(takeLine);
    }

    @Override
    Stubs due(DueCalls due) {
        GoesOn goesOn = data -> due.goesOn();
        return new KeptCallbacks(goesOn);
    }

    @Override
    long stackBytes() {
        NativeLibrary process = NativeLibrary.getProcess();
        try (Memory attributes = new Memory(ATTRIBUTES_BYTES); Memory size = new Memory(Long.BYTES)) {
            long self = process.getFunction("pthread_self").invokeLong(new Object[0]);
            if (process.getFunction("pthread_getattr_np").invokeInt(new Object[] {self, attributes}) != 0) {
                return Long.MAX_VALUE;
            }
            process.getFunction("pthread_attr_getstacksize").invokeInt(new Object[] {attributes, size});
            process.getFunction("pthread_attr_destroy").invokeInt(new Object[] {attributes});
            return size.getLong(0);
        }
    }
}
