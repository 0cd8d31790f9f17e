//! Revocation lists that `openssl` makes.

use std::sync::Arc;

use chrono::TimeDelta;
use xs2a::env::{IssuedCertificate, Revocation, RevocationStatus};
use xs2a::trust::{Certificate, ListFault, RevocationLists};

use crate::workshop::{root, Key, Recipe, Workshop, AUTHORITY};

fn shop() -> (Workshop, Arc<Certificate>) {
    let shop = Workshop::open();
    let root = shop.make("root", "root", 1, &root());
    (shop, root)
}

fn asked<'a>(issuer: &'a Certificate, serial: &'a [u8]) -> IssuedCertificate<'a> {
    IssuedCertificate {
        der: b"",
        issuer: None,
        issuer_der: issuer.issuer_der(),
        issuer_key: Some(issuer.public_key()),
        serial,
        is_authority: false,
        distribution_points: &[],
        at: issuer.not_before() + TimeDelta::hours(1),
    }
}

#[test]
fn a_listed_certificate_is_revoked_and_others_good_while_current() {
    let (shop, root) = shop();
    let lists = RevocationLists::new();
    let question = asked(&root, &[0x47, 0x11]);
    assert_eq!(lists.status(&question).unwrap(), RevocationStatus::Unlisted);
    let list = shop.list("root", 1, &[0x4711, 0x0a], "");
    assert_eq!(lists.supply(&list, &[Arc::clone(&root)]), Ok(1));
    let held = lists.lists().remove(0);
    assert_eq!((held.len(), lists.next_due()), (2, Some(held.next_update())));
    assert_eq!(held.next_update() - held.this_update(), TimeDelta::days(1));

    let second = TimeDelta::seconds(1);
    for (serial, at, expected) in [
        (&[0x47, 0x11][..], held.this_update(), RevocationStatus::Revoked),
        (&[0x47, 0x12], held.this_update(), RevocationStatus::Good),
        (&[0x47], held.this_update(), RevocationStatus::Good),
        (&[0x47, 0x11, 0], held.this_update(), RevocationStatus::Good),
        (&[0x0a], held.this_update(), RevocationStatus::Revoked),
        (&[0x0b], held.this_update() - second, RevocationStatus::Stale),
        (&[0x0b], held.next_update(), RevocationStatus::Good),
        (&[0x0b], held.next_update() + second, RevocationStatus::Stale),
        // An old list does not take back what it said.
        (&[0x0a], held.next_update() + second, RevocationStatus::Revoked),
    ] {
        let found = lists.status(&IssuedCertificate { serial, at, ..question }).unwrap();
        assert_eq!(found, expected, "{serial:02x?} at {at}");
    }
    // Another key of the same name has lists of its own; without a key the name alone counts.
    let other = shop.make("other", "other", 1, &Recipe::new("Rot", 4, AUTHORITY));
    assert_eq!(lists.status(&asked(&other, &[0x0a])).unwrap(), RevocationStatus::Unlisted);
    let nameless = IssuedCertificate { issuer_key: None, ..asked(&other, &[0x0a]) };
    assert_eq!(lists.status(&nameless).unwrap(), RevocationStatus::Revoked);
    lists.clear();
    assert_eq!(lists.status(&question).unwrap(), RevocationStatus::Unlisted);
}

#[test]
fn a_list_is_taken_whole_and_from_its_issuer_alone_or_not_at_all() {
    let (shop, root) = shop();
    let stranger = shop.make("stranger", "stranger", 1, &Recipe::new("Fremmed", 4, AUTHORITY));
    let namesake = shop.make("namesake", "namesake", 1, &Recipe::new("Rot", 4, AUTHORITY));
    let usage = "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign\n";
    let no_lists = shop.make("no_lists", "no_lists", 1, &Recipe::new("Rot", 7, usage));
    let no_usage = shop.make("no_usage", "no_usage", 1, &Recipe::new("Rot", 7, "basicConstraints=CA:true\n"));
    let sound = shop.list("root", 1, &[5], "");
    let with = |extension: &str| shop.list("root", 1, &[5], extension);
    let mut flipped = {
        shop.write("sound.pem", &sound);
        shop.openssl("crl -in sound.pem -outform DER -out sound.der");
        shop.read("sound.der")
    };
    let der = flipped.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let cut = der[..der.len() - 1].to_vec();
    for (what, list, authority, expected) in [
        ("PEM", sound.clone(), &root, Ok(1)),
        ("DER", der.clone(), &root, Ok(1)),
        ("two in one file", [sound.clone(), sound.clone()].concat(), &root, Ok(2)),
        ("an authority without key usage", sound.clone(), &no_usage, Ok(1)),
        ("one that may not sign lists", sound.clone(), &no_lists, Err(ListFault::IssuerUnknown)),
        ("another name", sound.clone(), &stranger, Err(ListFault::IssuerUnknown)),
        ("another key", sound.clone(), &namesake, Err(ListFault::SignatureInvalid)),
        ("one bit of the signature", flipped, &root, Err(ListFault::SignatureInvalid)),
        ("one byte less", cut, &root, Err(ListFault::Malformed)),
        ("one byte more", [der, vec![0]].concat(), &root, Err(ListFault::Malformed)),
        ("a certificate", shop.read("root.pem"), &root, Err(ListFault::NotDecodable)),
        ("no text", vec![0xff], &root, Err(ListFault::NotDecodable)),
        ("nothing", Vec::new(), &root, Err(ListFault::NotDecodable)),
        ("a delta", with("2.5.29.27=critical,DER:020101"), &root, Err(ListFault::Delta)),
        ("of users", with(&part("onlyuser=TRUE")), &root, Ok(1)),
        ("of authorities", with(&part("onlyCA=TRUE")), &root, Ok(1)),
        ("of an address", with(&part("fullname=URI:http://a.example/1.crl")), &root, Ok(1)),
        ("of attributes", with(&part("onlyAA=TRUE")), &root, Err(ListFault::Partial)),
        ("an indirect one", with(&part("indirectCRL=TRUE")), &root, Err(ListFault::Partial)),
        ("of some reasons", with(&part("onlysomereasons=keyCompromise")), &root, Err(ListFault::Partial)),
        ("a critical extension", with("1.2.3.4=critical,DER:0500"), &root, Err(ListFault::ExtensionUnknown)),
        ("another extension", with("1.2.3.4=DER:0500"), &root, Ok(1)),
        (
            "the second of two is bad",
            [sound.clone(), with("2.5.29.27=critical,DER:020101")].concat(),
            &root,
            Err(ListFault::Delta),
        ),
    ] {
        let lists = RevocationLists::new();
        assert_eq!(lists.supply(&list, &[Arc::clone(authority)]), expected, "{what}");
        assert_eq!(lists.lists().len(), usize::from(expected.is_ok()), "{what}");
    }
}

/// Such a signature was not verified, so it is not reported as invalid.
#[test]
fn a_list_of_an_unsupported_signature_is_reported_by_it() {
    let (shop, root) = shop();
    let key = Key::Made("-algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP256r1");
    let curve = shop.make("curve", "curve", 1, &Recipe { key, ..self::root() });
    let message = |issuer: &str, hash: &str, authorities: &[&Arc<Certificate>]| {
        let list = shop.list_by(issuer, 1, &[5], "", &format!("-md {hash}"));
        let authorities: Vec<_> = authorities.iter().map(|authority| Arc::clone(authority)).collect();
        RevocationLists::new().supply(&list, &authorities).unwrap_err().to_string()
    };
    let refused = |how: &str| format!("it is signed in a way that is not accepted: {how}");
    assert_eq!(message("root", "sha1", &[&root]), refused("SHA-1"));
    let salted = "sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:20";
    let salt = "RSA-PSS with a salt of 20 bytes; it must be as long as the hash";
    assert_eq!(message("root", salted, &[&root]), refused(salt));
    // Of two of one name, either may have signed.
    for authorities in [&[&curve][..], &[&curve, &root], &[&root, &curve]] {
        assert_eq!(message("curve", "sha256", authorities), refused("brainpoolP256r1"));
    }
    assert_eq!(message("curve", "sha256", &[&root]), "its signature does not verify");
}

/// An issuingDistributionPoint for `openssl`.
fn part(members: &str) -> String {
    format!("issuingDistributionPoint=critical,@idp\n[idp]\n{members}")
}

#[test]
fn a_list_says_nothing_of_what_it_does_not_cover() {
    let (shop, root) = shop();
    let named = "fullname=URI:http://a.example/1.crl,URI:http://b.example/1.crl";
    let points = |lines: &str| {
        let leaf = Recipe::new("Betaling", 5, format!("basicConstraints=CA:false\n{lines}\n"));
        shop.make("leaf", "root", 5, &leaf)
    };
    let authority = shop.make("authority", "root", 5, &Recipe::new("Mellommann", 6, AUTHORITY));
    let plain = points("");
    let same = points("crlDistributionPoints=URI:HTTP://B.example/1.crl");
    let second = points("crlDistributionPoints=URI:http://c.example/1.crl,URI:http://a.example/1.crl");
    let other = points("crlDistributionPoints=URI:http://a.example/2.crl");
    let for_reasons = points(
        "crlDistributionPoints=point\n[point]\nfullname=URI:http://a.example/1.crl\nreasons=keyCompromise",
    );
    let by_another = points(
        "crlDistributionPoints=point\n[point]\nfullname=URI:http://a.example/1.crl\nCRLissuer=dirName:who\n\
         [who]\nC=NO\norganizationIdentifier=PSDNO-FSA-777777\nCN=Rot",
    );
    let relative = points("crlDistributionPoints=point\n[point]\nrelativename=r\n[r]\nCN=Liste 1");
    let of_issuer = "fullname=dirName:who\n[who]\nC=NO\norganizationIdentifier=PSDNO-FSA-777777\nCN=rot";
    for (what, list, certificate, covered) in [
        ("no part", "", &plain, true),
        ("no part", "", &authority, true),
        ("users", "onlyuser=TRUE", &plain, true),
        ("users", "onlyuser=TRUE", &authority, false),
        ("authorities", "onlyCA=TRUE", &plain, false),
        ("authorities", "onlyCA=TRUE", &authority, true),
        ("a name, and no point", named, &plain, false),
        ("a name of a point", named, &same, true),
        ("a name of the second point", named, &second, true),
        ("another name", named, &other, false),
        ("a point for some reasons", named, &for_reasons, false),
        ("a point with lists of another", named, &by_another, false),
        ("a relative name", "relativename=r\n[r]\nCN=liste 1", &relative, true),
        ("another relative name", "relativename=r\n[r]\nCN=Liste 2", &relative, false),
        (
            "the whole of a relative name",
            "fullname=dirName:who\n[who]\nC=NO\n\
          organizationIdentifier=PSDNO-FSA-777777\n1.CN=Rot\n2.CN=Liste 1",
            &relative,
            true,
        ),
        ("the issuer's own name", of_issuer, &plain, true),
        ("users of a point", &format!("{named}\nonlyuser=TRUE"), &same, true),
        ("authorities of a point", &format!("{named}\nonlyCA=TRUE"), &same, false),
    ] {
        let extension = if list.is_empty() { String::new() } else { part(list) };
        let asked = IssuedCertificate {
            der: b"",
            issuer: None,
            is_authority: certificate.names_an_authority(),
            distribution_points: certificate.distribution_points(),
            ..asked(&root, certificate.serial_number().as_bytes())
        };
        for (serial, if_covered) in [(5, RevocationStatus::Revoked), (6, RevocationStatus::Good)] {
            let lists = RevocationLists::new();
            let taken = lists.supply(&shop.list("root", 1, &[serial], &extension), &[Arc::clone(&root)]);
            assert_eq!(taken, Ok(1), "{what}");
            let expected = if covered { if_covered } else { RevocationStatus::Unlisted };
            assert_eq!(lists.status(&asked).unwrap(), expected, "{what}: {serial}");
        }
    }
}

#[test]
fn lists_of_different_scopes_are_kept_together() {
    let (shop, root) = shop();
    let authorities = [Arc::clone(&root)];
    let lists = RevocationLists::new();
    let (users, others) = (part("onlyuser=TRUE"), part("onlyCA=TRUE"));
    for (number, serials, extension) in [(1, [5], &users), (2, [6], &others), (3, [7], &users)] {
        assert_eq!(lists.supply(&shop.list("root", number, &serials, extension), &authorities), Ok(1));
    }
    assert_eq!(lists.lists().len(), 2);
    let status = |is_authority, serial: u8| {
        lists.status(&IssuedCertificate { is_authority, ..asked(&root, &[serial]) }).unwrap()
    };
    let (good, revoked) = (RevocationStatus::Good, RevocationStatus::Revoked);
    assert_eq!([5, 6, 7].map(|serial| status(false, serial)), [good, good, revoked]);
    assert_eq!([5, 6, 7].map(|serial| status(true, serial)), [good, revoked, good]);
    let outdated = lists.supply(&shop.list("root", 1, &[6], &others), &authorities);
    assert_eq!(outdated, Err(ListFault::Outdated));
}

#[test]
fn a_newer_list_replaces_an_older_one_and_never_the_reverse() {
    let (shop, root) = shop();
    let authorities = [Arc::clone(&root)];
    let (first, second) = (shop.list("root", 0xff, &[5, 6], ""), shop.list("root", 0x100, &[6], ""));
    let lists = RevocationLists::new();
    let status = |serial: u8| lists.status(&asked(&root, &[serial])).unwrap();
    lists.supply(&first, &authorities).unwrap();
    assert_eq!((status(5), status(6)), (RevocationStatus::Revoked, RevocationStatus::Revoked));
    lists.supply(&second, &authorities).unwrap();
    assert_eq!((status(5), status(6)), (RevocationStatus::Good, RevocationStatus::Revoked));
    assert_eq!(lists.supply(&second, &authorities), Ok(1), "the same again");
    assert_eq!(lists.supply(&first, &authorities), Err(ListFault::Outdated));
    assert_eq!(status(5), RevocationStatus::Good);
    assert_eq!(lists.lists().len(), 1);
}

#[test]
fn of_two_lists_of_one_number_the_later_counts() {
    let (shop, root) = shop();
    let authorities = [Arc::clone(&root)];
    let earlier = shop.list_by("root", 7, &[], "", "-crl_lastupdate 20260101000000Z");
    let later = shop.list("root", 7, &[5], "");
    let lists = RevocationLists::new();
    lists.supply(&later, &authorities).unwrap();
    assert_eq!(lists.supply(&earlier, &authorities), Err(ListFault::Outdated));
    assert_eq!(lists.status(&asked(&root, &[5])).unwrap(), RevocationStatus::Revoked);
}

#[test]
fn any_one_bit_change_of_a_list_is_refused() {
    let (shop, root) = shop();
    shop.list("root", 7, &[0x4711, 0x0a], "1.2.3.4=DER:0500");
    shop.openssl("crl -in list.pem -outform DER -out list.der");
    let (mut der, authorities) = (shop.read("list.der"), [root]);
    let lists = RevocationLists::new();
    for at in 0..der.len() {
        for bit in 0..8 {
            der[at] ^= 1 << bit;
            assert!(lists.supply(&der, &authorities).is_err(), "bit {bit} of byte {at}");
            der[at] ^= 1 << bit;
        }
    }
    assert_eq!(lists.supply(&der, &authorities), Ok(1));
}
