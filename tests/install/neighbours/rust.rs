//! Another Rust library in the same program: it has the runtime of its own toolchain, and catches a panic.

/// Gives 1 if a panic was caught.
#[no_mangle]
pub extern "C" fn neighbour_catches_a_panic(number: u32) -> u32 {
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| {
        let numbers: Vec<u32> = (0..number).collect();
        numbers[number as usize]
    });
    u32::from(caught.is_err())
}
