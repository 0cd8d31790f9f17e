-- An index by time costs every new link a page of its own. Ids sort by when they were drawn, so the oldest links stand
-- first without one.
DROP INDEX authorisation_by_time;
