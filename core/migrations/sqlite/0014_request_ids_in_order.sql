-- Request ids are appended in the order of their use, without an index: each is random, so an index costs every
-- commit a page of its own. Who writes knows from memory in which row an id stands.
ALTER TABLE used_request_id RENAME TO used_request_id_by_tpp;
CREATE TABLE used_request_id (
    tpp        TEXT NOT NULL,
    request_id BLOB NOT NULL CHECK (length(request_id) = 16),
    used_at    INTEGER NOT NULL
) STRICT;
INSERT INTO used_request_id (tpp, request_id, used_at)
SELECT tpp, request_id, used_at FROM used_request_id_by_tpp ORDER BY used_at;
DROP TABLE used_request_id_by_tpp;
