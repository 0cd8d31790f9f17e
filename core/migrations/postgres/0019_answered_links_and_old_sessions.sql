-- What is over is forgotten by its age: links whether they were answered or not, and sessions.
DROP INDEX authorisation_waiting;
CREATE INDEX authorisation_by_time ON authorisation (created_at);
CREATE INDEX sca_session_by_time ON sca_session (opened_at);
