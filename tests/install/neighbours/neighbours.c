// Libraries in the same program of which libxs2a has its own: Rust's runtime, SQLite, OpenSSL's functions, AWS-LC.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/sha.h>
#include <sqlite3.h>

uint32_t neighbour_catches_a_panic(uint32_t number);
// The same function of AWS-LC, of the version that libxs2a was built with: its names have a prefix with the version.
uint8_t *AWS_LC_SHA256(const uint8_t *data, size_t len, uint8_t *out);

static void check(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    exit(EXIT_FAILURE);
}

void use_neighbours(void) {
    static const uint8_t abc_begins[] = {0xba, 0x78, 0x16, 0xbf};
    uint8_t hash[32];
    sqlite3 *database = NULL;
    check(neighbour_catches_a_panic(3) == 1, "the other Rust library does not catch its panic");
    check(memcmp(SHA256((const uint8_t *)"abc", 3, hash), abc_begins, 4) == 0, "OpenSSL hashes otherwise");
    check(memcmp(AWS_LC_SHA256((const uint8_t *)"abc", 3, hash), abc_begins, 4) == 0, "AWS-LC hashes otherwise");
    check(sqlite3_open(":memory:", &database) == SQLITE_OK, "SQLite does not open");
    check(strcmp(sqlite3_libversion(), SQLITE_VERSION) == 0, "the SQLite is another than that of its header");
    check(sqlite3_exec(database, "CREATE TABLE t(a)", NULL, NULL, NULL) == SQLITE_OK, "SQLite does not write");
    sqlite3_close(database);
}
