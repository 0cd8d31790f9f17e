//! A folder in which the `openssl` command makes certificates and lists. The keys are the public ones of the sandbox,
//! but where a row needs another.

use std::process::Command;
use std::sync::Arc;

use tempfile::TempDir;
use xs2a::internal::{parse_certificate, TEST_KEYS_PEM};
use xs2a::trust::Certificate;

/// What `openssl` is asked to make of one certificate.
#[derive(Clone)]
pub(crate) struct Recipe {
    /// The common name.
    pub(crate) name: &'static str,
    /// Which of the sandbox's keys, or the arguments of `genpkey`.
    pub(crate) key: Key,
    /// The lines of its extensions.
    pub(crate) extensions: String,
    /// How its issuer hashes.
    pub(crate) hash: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) enum Key {
    Numbered(usize),
    Made(&'static str),
}

pub(crate) const AUTHORITY: &str =
    "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n";

impl Recipe {
    pub(crate) fn new(name: &'static str, key: usize, extensions: impl Into<String>) -> Self {
        Self { name, key: Key::Numbered(key), extensions: extensions.into(), hash: "sha256" }
    }

    /// With another line among the extensions.
    pub(crate) fn plus(mut self, line: &str) -> Self {
        self.extensions.push_str(line);
        self.extensions.push('\n');
        self
    }

    /// With these extensions alone.
    pub(crate) fn only(self, extensions: &str) -> Self {
        Self { extensions: format!("{extensions}\n"), ..self }
    }
}

pub(crate) fn root() -> Recipe {
    Recipe::new("Rot", 7, AUTHORITY)
}

pub(crate) fn issuing() -> Recipe {
    Recipe::new("Mellommann", 6, AUTHORITY)
}

pub(crate) fn leaf() -> Recipe {
    let statement = "1.3.6.1.5.5.7.1.3=DER:3034303206060400819827023028301330110607040081982701020c0650\
        53505f50490c0946696e616e7374696c0c064e4f2d465341";
    let usage = "basicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature\n";
    Recipe::new("Betaling", 5, format!("{usage}{statement}\n"))
}

pub(crate) struct Workshop(TempDir);

impl Workshop {
    pub(crate) fn open() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path().join(name)).unwrap()
    }

    /// Runs `openssl` with the words of a line.
    pub(crate) fn openssl(&self, line: &str) {
        let command =
            Command::new("openssl").args(line.split_whitespace()).current_dir(self.0.path()).output();
        let output = command.expect("openssl is installed");
        assert!(output.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Makes `{file}.pem`, with its key in `{file}.key`; `issuer` is a file made before, or its own.
    pub(crate) fn make(&self, file: &str, issuer: &str, serial: i32, recipe: &Recipe) -> Arc<Certificate> {
        match recipe.key {
            Key::Numbered(number) => self.write(&format!("{file}.key"), TEST_KEYS_PEM[number]),
            Key::Made(arguments) => self.openssl(&format!("genpkey {arguments} -out {file}.key")),
        }
        let subject = format!(
            "[req]\nprompt=no\ndistinguished_name=dn\n[dn]\nC=NO\norganizationIdentifier=PSDNO-FSA-777777\nCN={}\n",
            recipe.name
        );
        self.write("make.cnf", format!("{subject}[ext]\n{}", recipe.extensions));
        self.openssl(&format!("req -new -config make.cnf -key {file}.key -out {file}.csr"));
        let signer = match file == issuer {
            true => format!("-signkey {file}.key"),
            false => format!("-CA {issuer}.pem -CAkey {issuer}.key"),
        };
        self.openssl(&format!(
            "x509 -req -in {file}.csr {signer} -set_serial {serial} -days 30 -{} -extfile make.cnf -extensions ext \
             -out {file}.pem",
            recipe.hash
        ));
        self.certificate(file)
    }

    pub(crate) fn certificate(&self, file: &str) -> Arc<Certificate> {
        Arc::new(parse_certificate(&self.read(&format!("{file}.pem"))).unwrap())
    }

    /// A list of the issuer over these serial numbers, as PEM. It counts for a day.
    pub(crate) fn list(&self, issuer: &str, number: u32, serials: &[u32], extensions: &str) -> Vec<u8> {
        self.list_by(issuer, number, serials, extensions, "")
    }

    /// As [`Workshop::list`], by further options of `openssl ca`.
    pub(crate) fn list_by(
        &self,
        issuer: &str,
        number: u32,
        serials: &[u32],
        extensions: &str,
        options: &str,
    ) -> Vec<u8> {
        let line = |serial: &u32| format!("R\t350101000000Z\t250101000000Z\t{serial:08X}\tunknown\t/CN=x\n");
        self.write("index.txt", serials.iter().map(line).collect::<String>());
        self.write("number", format!("{number:04X}\n"));
        self.write(
            "list.cnf",
            format!(
                "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\ncrlnumber=number\ndefault_md=sha256\n\
                 default_crl_days=1\n[ext]\nauthorityKeyIdentifier=keyid\n{extensions}\n"
            ),
        );
        self.openssl(&format!(
            "ca -gencrl -config list.cnf -cert {issuer}.pem -keyfile {issuer}.key -crlexts ext {options} \
             -out list.pem"
        ));
        self.read("list.pem")
    }
}
