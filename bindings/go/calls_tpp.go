// Code generated from the C headers by bindings/generator. DO NOT EDIT.

//go:build xs2a_sandbox

package xs2a

// #include <xs2a_sandbox.h>
import "C"

// Name: The name the TPP was registered with. Lives as long as `tpp`, as do the other texts of it.
func (t *Tpp) Name() string {
	if t.life.begin() != nil {
		return ""
	}
	defer t.life.end()
	return borrowed(C.xs2a_tpp_name(t.pointer))
}

// OrganisationId: The authorisation number in the certificate (organizationIdentifier, 2.5.4.97).
func (t *Tpp) OrganisationId() string {
	if t.life.begin() != nil {
		return ""
	}
	defer t.life.end()
	return borrowed(C.xs2a_tpp_organisation_id(t.pointer))
}

// CertificatePem: The certificate as PEM.
func (t *Tpp) CertificatePem() string {
	if t.life.begin() != nil {
		return ""
	}
	defer t.life.end()
	return borrowed(C.xs2a_tpp_certificate_pem(t.pointer))
}

// PrivateKeyPem: The private key as PEM (PKCS #8). A test key: never use it elsewhere.
func (t *Tpp) PrivateKeyPem() string {
	if t.life.begin() != nil {
		return ""
	}
	defer t.life.end()
	return borrowed(C.xs2a_tpp_private_key_pem(t.pointer))
}

// Roles: The roles as registered, with a comma between: `AISP,PISP`.
//
// Results: ResultNullArgument.
func (t *Tpp) Roles() (string, error) {
	if err := t.life.begin(); err != nil {
		return "", err
	}
	defer t.life.end()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_tpp_roles(t.pointer, &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}
