-- Authorisations that wait for their PSU. Those that waited too long are forgotten.
CREATE INDEX authorisation_waiting ON authorisation (created_at) WHERE status = 'started';
