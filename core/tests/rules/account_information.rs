//! Account information over the whole engine: who may read what, for how long, how often.

mod agreements;
mod answers;
mod consents;
mod corporate;
mod deleted_customers;
mod every_route;
mod history;
mod isolation;
mod made_by_hand;
mod order;
mod quota;
mod routes;
mod sessions;
mod table;
