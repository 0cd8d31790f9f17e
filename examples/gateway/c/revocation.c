#include "revocation.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "core.h"
#include "log.h"

enum { IS_GOOD = 0, IS_REVOKED = 1, CANNOT_BE_DETERMINED = -1, CERTIFICATE_BYTES_MAX = 1 << 16 };
// What the DER of a certificate begins with: the tag of a SEQUENCE. A file in PEM would never be equal to one.
enum { SEQUENCE = 0x30 };

// Whether a file of the folder is that certificate.
static int32_t compare(const char *folder, const char *name, xs2a_slice certificate) {
    text path = {0}, file = {0};
    text_form(&path, "%s/%s", folder, name);
    int32_t found = CANNOT_BE_DETERMINED;
    if (!path.failed && text_read(&file, path.data, CERTIFICATE_BYTES_MAX) && file.len > 0
        && file.data[0] == SEQUENCE) {
        const bool is_same =
            file.len == certificate.len && memcmp(file.data, certificate.data, file.len) == 0;
        found = is_same ? IS_REVOKED : IS_GOOD;
    } else {
        log_line("error", "gateway::revocation",
                 "no certificate is accepted: %s/%s is not the DER of a certificate of at most %d bytes", folder, name,
                 CERTIFICATE_BYTES_MAX);
    }
    text_free(&file);
    text_free(&path);
    return found;
}

int32_t revocation_of(void *user_data, xs2a_slice certificate, xs2a_slice issuer) {
    (void)issuer;
    const core *core = user_data;
    DIR *folder = opendir(core->revoked);
    if (folder == NULL) {
        log_line("error", "gateway::revocation", "no certificate is accepted: %s: %s", core->revoked, strerror(errno));
        return CANNOT_BE_DETERMINED;
    }
    int32_t found = IS_GOOD;
    while (found == IS_GOOD) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL && errno != 0) found = CANNOT_BE_DETERMINED;
        if (entry == NULL) break;
        // The folder itself, the one above it, and files that are still being written.
        if (entry->d_name[0] != '.') found = compare(core->revoked, entry->d_name, certificate);
    }
    closedir(folder);
    return found;
}

bool revocation_has_folder(const char *path) {
    DIR *folder = opendir(path);
    if (folder != NULL) closedir(folder);
    return folder != NULL;
}
