namespace Xs2a
{
    /// <summary>A record of an engine's log.</summary>
    public sealed class LogRecord
    {
        internal LogRecord(string level, string target, string message, string fields)
        {
            Level = level;
            Target = target;
            Message = message;
            Fields = fields;
        }

        /// <summary>`info`, `warn` or `error`.</summary>
        public string Level { get; }

        /// <summary>The part of the library, such as `xs2a::engine::deliver`.</summary>
        public string Target { get; }

        /// <summary>The same text each time.</summary>
        public string Message { get; }

        /// <summary>The values as a JSON object in one line.</summary>
        public string Fields { get; }
    }
}
