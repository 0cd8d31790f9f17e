// The smallest program over libxs2a alone: no simulated bank.

#include <stdio.h>

#include <xs2a.h>

int main(void) {
    const xs2a_str version = xs2a_version();
    printf("%.*s\n", (int)version.len, version.data);
    return xs2a_abi_version() == XS2A_ABI_VERSION && xs2a_iban_is_valid(xs2a_str_of("NO9386011117947")) ? 0 : 1;
}
