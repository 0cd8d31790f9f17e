using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Xs2a
{
    /// <summary>What is checked before a call: the library that was loaded, and the stack of the thread.</summary>
    internal static class Library
    {
        /// <summary>256 KiB for the library, and what the frames of .NET before it may take.</summary>
        private const long StackBytesMin = 384 << 10;

        /// <summary>More than pthread_attr_t has on any machine.</summary>
        private const int AttributesBytes = 256;

        private static bool isChecked;

        [ThreadStatic]
        private static bool stackIsLarge;

        internal static void Check()
        {
            if (!isChecked)
            {
                CheckVersion();
                isChecked = true;
            }
            if (!stackIsLarge)
            {
                CheckStack();
                stackIsLarge = true;
            }
        }

        private static void CheckVersion()
        {
            if (IntPtr.Size != sizeof(long) || !BitConverter.IsLittleEndian)
            {
                throw new PlatformNotSupportedException("xs2a: a little-endian machine of 64 bits is needed");
            }
            uint found = Native.xs2a_abi_version();
            if (found != Result.AbiVersion)
            {
                throw new DllNotFoundException("xs2a: " + Native.Name + " has the binary interface " + found + ", not "
                    + Result.AbiVersion);
            }
        }

        private static void CheckStack()
        {
            long bytes = StackBytes();
            if (bytes < StackBytesMin)
            {
                throw new InvalidOperationException("xs2a: thread `" + Thread.CurrentThread.Name + "` has a stack of "
                    + (bytes >> 10) + " KiB, and needs " + (StackBytesMin >> 10)
                    + " KiB: pass a larger maxStackSize to its constructor");
            }
        }

        private static long StackBytes()
        {
            var attributes = new byte[AttributesBytes];
            try
            {
                if (pthread_getattr_np(pthread_self(), attributes) != 0)
                {
                    return long.MaxValue;
                }
                pthread_attr_getstacksize(attributes, out UIntPtr size);
                pthread_attr_destroy(attributes);
                return (long)size;
            }
            catch (EntryPointNotFoundException)
            {
                // Before glibc 2.34 these functions are in another library; its stacks are those of the documentation.
                return long.MaxValue;
            }
        }

        [DllImport("libc.so.6")]
        private static extern UIntPtr pthread_self();

        [DllImport("libc.so.6")]
        private static extern int pthread_getattr_np(UIntPtr thread, [In, Out] byte[] attributes);

        [DllImport("libc.so.6")]
        private static extern int pthread_attr_getstacksize([In] byte[] attributes, out UIntPtr size);

        [DllImport("libc.so.6")]
        private static extern int pthread_attr_destroy([In, Out] byte[] attributes);
    }
}
