using System.Runtime.InteropServices;

namespace Xs2a
{
    /// <summary>What a run of due orders did: `xs2a_run_report`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RunReport
    {
        /// <summary>How many orders the bank took.</summary>
        public readonly ulong Submitted;

        /// <summary>How many are not delivered any more, because their payments ended before.</summary>
        public readonly ulong Withdrawn;

        /// <summary>How many failed and will be delivered again.</summary>
        public readonly ulong Failed;

        /// <summary>How many became dead letters: see Engine.DeadLetters.</summary>
        public readonly ulong DeadLetters;
    }
}
