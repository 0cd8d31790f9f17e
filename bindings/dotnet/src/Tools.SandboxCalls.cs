// Generated from the C headers by bindings/generator: not to be edited.

#if XS2A_SANDBOX
using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    public static partial class Tools
    {
        /// <summary>
        /// Adds up two coverages, such as those of two processes.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no coverage of this version).
        /// </summary>
        public static string CoverageMerge(string one, string other)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_coverage_merge(frame.Text(one), frame.Text(other), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// A coverage in words, a line for each kind. `untouched`: 1 to list below each what was not seen.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no coverage of this version).
        /// </summary>
        public static string CoverageText(string coverage, bool untouched)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_coverage_text(frame.Text(coverage), (byte)(untouched ? 1 : 0),
                    out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// What changed from one snapshot to another, in words, as a JSON array of texts: `["payment enc!!…: RCVD →
        /// ACSC"]`. An empty array: no difference. At most 1001 lines: beyond a thousand the last has the number of
        /// the others.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (not a whole snapshot of this version), Result.Store.
        /// </summary>
        public static string SnapshotDiff(byte[] before, byte[] after)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_snapshot_diff(frame.Bytes(before), frame.Bytes(after), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }
    }
}
#endif
