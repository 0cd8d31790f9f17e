// Generated from the C headers by bindings/generator: not to be edited.

package xs2a;

abstract class TppCalls extends Handle {
    TppCalls(long pointer, String free) {
        super(pointer, free);
    }

    /**
     * The name the TPP was registered with. Lives as long as `tpp`, as do the other texts of it.
     */
    public String name() {
        return borrowed("xs2a_tpp_name");
    }

    /**
     * The authorisation number in the certificate (organizationIdentifier, 2.5.4.97).
     */
    public String organisationId() {
        return borrowed("xs2a_tpp_organisation_id");
    }

    /**
     * The certificate as PEM.
     */
    public String certificatePem() {
        return borrowed("xs2a_tpp_certificate_pem");
    }

    /**
     * The private key as PEM (PKCS #8). A test key: never use it elsewhere.
     */
    public String privateKeyPem() {
        return borrowed("xs2a_tpp_private_key_pem");
    }

    /**
     * The roles as registered, with a comma between: `AISP,PISP`.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String roles() {
        return text("xs2a_tpp_roles");
    }
}
