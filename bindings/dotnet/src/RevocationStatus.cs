namespace Xs2a
{
    /// <summary>What is known of a certificate, with the numbers of C.</summary>
    public enum RevocationStatus
    {
        /// <summary>It is not revoked.</summary>
        Good = 0,

        /// <summary>It is revoked.</summary>
        Revoked = 1,

        /// <summary>No answer about it is current (policy `stale_crl`).</summary>
        Stale = 2,

        /// <summary>The source has no answer about it (policy `missing_crl`).</summary>
        Unlisted = 3,
    }
}
