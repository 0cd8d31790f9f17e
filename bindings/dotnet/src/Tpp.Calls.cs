// Generated from the C headers by bindings/generator: not to be edited.

#if XS2A_SANDBOX
using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    public sealed partial class Tpp
    {
        /// <summary>
        /// The name the TPP was registered with. Lives as long as `tpp`, as do the other texts of it.
        /// </summary>
        public string Name()
        {
            using (var frame = new Frame())
            {
                return Take.String(Native.xs2a_tpp_name(handle));
            }
        }

        /// <summary>
        /// The authorisation number in the certificate (organizationIdentifier, 2.5.4.97).
        /// </summary>
        public string OrganisationId()
        {
            using (var frame = new Frame())
            {
                return Take.String(Native.xs2a_tpp_organisation_id(handle));
            }
        }

        /// <summary>
        /// The certificate as PEM.
        /// </summary>
        public string CertificatePem()
        {
            using (var frame = new Frame())
            {
                return Take.String(Native.xs2a_tpp_certificate_pem(handle));
            }
        }

        /// <summary>
        /// The private key as PEM (PKCS #8). A test key: never use it elsewhere.
        /// </summary>
        public string PrivateKeyPem()
        {
            using (var frame = new Frame())
            {
                return Take.String(Native.xs2a_tpp_private_key_pem(handle));
            }
        }

        /// <summary>
        /// The roles as registered, with a comma between: `AISP,PISP`.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Roles()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_tpp_roles(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }
    }
}
#endif
