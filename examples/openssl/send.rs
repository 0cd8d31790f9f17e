//! Sends one request to a sandbox in a file: `send DATABASE NOW TRUSTED METHOD TARGET HEADERS BODY`.

use std::env;
use std::error::Error;
use std::fs;

use xs2a::{Request, Sandbox, SandboxOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [database, now, trusted, method, target, headers, body] = arguments.as_slice() else {
        return Err("usage: send DATABASE NOW TRUSTED METHOD TARGET HEADERS BODY".into());
    };
    let options = SandboxOptions {
        database: Some(database.into()),
        now: Some(now.parse()?),
        seed: 1,
        ..SandboxOptions::default()
    };
    let sandbox = Sandbox::open(&options)?;
    sandbox.trust(&fs::read_to_string(trusted)?)?;
    let headers = fs::read_to_string(headers)?;
    let headers: Vec<(&str, &[u8])> = headers
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name, value.as_bytes()))
        .collect();
    let body = fs::read(body)?;
    let answer =
        sandbox.handle(&Request { method, target, headers: &headers, body: &body, correlation_id: None });
    println!("{} {}", answer.status(), answer.reason().unwrap_or("-"));
    println!("{}", String::from_utf8_lossy(answer.body()));
    Ok(())
}
