-- The brand that the TPP uses toward the PSU, for the page where the PSU answers.
ALTER TABLE authorisation ADD COLUMN brand TEXT;
