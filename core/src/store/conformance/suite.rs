//! The list of behaviours, and what a store needs to be tested by them.

use std::sync::Arc;

use super::Damage;
use crate::store::Store;

/// A kind of store under test. Each behaviour gets a database of its own.
pub trait Backend: Sync {
    /// Whether this machine has what the store needs. If it returns false, nothing is tested; the backend reports why.
    fn is_available() -> bool {
        true
    }

    /// An empty database.
    fn new() -> Self;

    /// A store on that database. A second one sees what the first committed, and competes with it as another process
    /// or node does.
    fn node(&self) -> Arc<dyn Store>;

    /// Changes rows of the database without the store.
    fn damage(&self, damage: &Damage);
}

/// Makes one test for each behaviour, in modules by topic, for a type that implements
/// [`Backend`](crate::store::conformance::Backend).
#[macro_export(local_inner_macros)]
macro_rules! store_conformance {
    (@tests $backend:ty; $( $topic:ident: $($behaviour:ident),+; )+) => { $(
        mod $topic {
            use super::*;
            $(
                #[test]
                fn $behaviour() {
                    $crate::store::conformance::check::<$backend>(
                        ::core::concat!(::core::stringify!($topic), "::", ::core::stringify!($behaviour)),
                    );
                }
            )+
        }
    )+ };
    (@table $backend:ty; $( $topic:ident: $($behaviour:ident),+; )+) => {
        [$( $( (
            ::core::concat!(::core::stringify!($topic), "::", ::core::stringify!($behaviour)),
            $crate::store::conformance::$topic::$behaviour as fn(&$backend),
        ), )+ )+]
    };
    (@$what:ident $backend:ty) => {
        store_conformance! { @$what $backend;
        payments:
            every_field_comes_back,
            absent_fields_stay_absent,
            an_unknown_payment_is_none,
            every_status_and_product_comes_back,
            an_id_is_taken_once,
            payments_are_found_in_any_order_of_their_ids,
            an_update_replaces_every_field_that_may_change,
            an_update_leaves_when_a_payment_was_created_and_what_it_looks_like,
            an_update_needs_the_version_right_before_it,
            an_update_of_nothing_is_a_lost_race;
        duplicates:
            a_payment_at_the_edge_of_the_window_is_a_duplicate,
            a_payment_after_the_edge_is_a_duplicate,
            a_like_payment_before_the_window_does_not,
            only_rejected_and_cancelled_payments_are_no_duplicates,
            a_payment_with_another_fingerprint_is_no_duplicate,
            a_payment_of_an_alternative_fingerprint_is_a_duplicate,
            a_payment_of_an_unknown_psu_is_a_duplicate_and_of_another_is_not,
            without_a_window_no_payment_is_a_duplicate,
            the_second_of_two_like_payments_in_one_commit_is_refused;
        request_ids:
            a_use_at_the_edge_of_the_window_is_a_replay,
            a_use_before_the_window_is_none_and_counts_again,
            two_tpps_may_use_one_id,
            the_newest_are_listed_oldest_first,
            those_used_at_the_given_time_are_listed,
            those_used_at_the_given_time_are_not_forgotten,
            as_many_are_forgotten_at_a_time_as_may_be;
        authorisations:
            every_field_comes_back,
            absent_fields_stay_absent,
            an_unknown_authorisation_is_none,
            an_id_is_taken_once,
            an_update_replaces_every_field,
            an_update_needs_the_version_right_before_it,
            those_of_long_ago_are_forgotten_answered_or_not,
            as_many_are_forgotten_at_a_time_as_may_be;
        creations:
            every_part_comes_back,
            one_that_is_lost_leaves_an_older_use_of_its_request_id,
            every_field_of_a_link_comes_back,
            a_link_changes_one_version_at_a_time_as_any,
            a_link_stays_as_it_was_when_its_payment_changes,
            payment_and_link_may_change_at_once,
            a_lost_race_of_its_payment_leaves_a_link_as_it_is,
            the_id_of_a_link_is_taken_once,
            links_of_long_ago_are_forgotten_and_their_payments_are_not,
            its_request_id_is_used_from_its_time_on,
            a_use_before_it_makes_it_a_replay,
            an_id_that_is_used_again_after_its_window_is_listed_once,
            another_node_knows_its_request_id;
        baskets:
            every_field_comes_back,
            absent_fields_stay_absent,
            an_unknown_basket_is_none,
            an_id_is_taken_once,
            an_update_replaces_every_field,
            an_update_needs_the_version_right_before_it,
            a_basket_and_its_payments_are_written_together_or_not_at_all;
        persons:
            a_person_is_found_by_the_id_of_that_tpp_alone,
            a_person_has_one_id_per_tpp,
            an_id_means_one_person,
            a_corporate_customer_is_found_by_those_it_was_opened_to_alone,
            a_corporate_customer_has_one_id_per_tpp,
            a_corporate_id_means_one_customer,
            a_corporate_customer_is_opened_to_a_person_once;
        orders:
            an_order_is_due_from_its_time_on,
            the_longest_waiting_come_first,
            equally_long_waiting_come_as_they_were_enqueued,
            no_more_than_the_limit_are_given,
            the_next_due_time_is_returned_until_none_is_left,
            a_rescheduled_order_waits_again,
            an_order_comes_with_the_product_of_its_payment,
            an_order_is_enqueued_and_removed_once,
            an_order_is_withdrawn_whether_it_is_there_or_not,
            a_claimed_order_is_due_again_when_the_claim_ends,
            what_waits_for_a_later_time_is_brought_forward_and_nothing_else,
            a_claimed_order_is_removed_rescheduled_or_a_dead_letter,
            an_order_of_another_claim_is_not_changed,
            a_claim_is_renewed_by_the_node_that_has_it,
            a_dead_letter_is_kept_and_not_due,
            dead_letters_are_listed_from_the_oldest_on,
            a_retried_dead_letter_waits_as_if_it_had_never_failed,
            only_a_dead_letter_is_resolved,
            an_answered_order_is_taken_out_unless_the_bank_was_asked_to_cancel,
            an_order_whose_payment_the_bank_was_asked_to_cancel_can_be_taken_out,
            a_marked_dead_letter_waits_again_after_an_answer_or_a_report,
            only_a_dead_letter_is_reported_as_one,
            a_dead_letter_is_removed_and_withdrawn_like_any_order,
            what_cannot_be_read_holds_up_no_other_and_is_due_as_any,
            claims_return_unreadable_orders_with_a_readable_payment_id,
            an_unreadable_order_becomes_a_dead_letter_of_any_claim,
            an_unreadable_order_is_listed_before_and_as_a_dead_letter,
            an_unreadable_order_is_retried_if_its_payment_id_is_readable,
            an_unreadable_order_is_reported_as_a_dead_letter_after_that;
        events:
            they_come_back_in_the_order_appended,
            payments_have_histories_of_their_own,
            the_history_of_nothing_cannot_be_written;
        audit:
            every_field_comes_back,
            absent_fields_stay_absent,
            every_kind_comes_back,
            the_start_of_the_range_is_in_it_and_its_end_is_not,
            lines_of_one_moment_keep_their_order_and_precede_histories,
            pages_of_any_size_return_every_line_once,
            a_line_of_a_lost_commit_is_not_returned;
        sessions:
            every_field_comes_back,
            a_session_is_found_by_its_tpp_alone,
            a_new_session_replaces_those_of_the_same_tpp_psu_and_context,
            an_id_that_is_opened_again_belongs_to_the_last_opener,
            an_id_that_goes_to_another_leaves_no_open_session_behind,
            an_sca_of_before_the_replacement_opens_nothing,
            of_two_new_ids_the_one_of_the_later_sca_is_open,
            a_lost_race_opens_nothing,
            those_of_long_ago_are_forgotten_some_at_a_time;
        consents:
            every_field_comes_back,
            a_consent_is_of_one_tpp_person_context_and_customer,
            a_new_grant_replaces_the_whole_scope,
            revoking_takes_back_every_role_of_one_person_at_one_tpp,
            an_ended_consent_is_listed_until_it_is_purged,
            a_read_is_noted_at_the_consent_that_counts;
        blocks:
            a_block_is_of_one_tpp_or_one_certificate,
            a_block_counts_until_its_end_and_on_a_clock_behind_it,
            a_later_block_of_a_subject_replaces_the_earlier,
            a_block_is_removed_once;
        access_counts:
            the_call_after_the_limit_is_refused_and_not_counted,
            everything_they_are_counted_by_counts_apart,
            an_exceeded_limit_leaves_nothing_of_the_commit,
            the_day_given_is_not_forgotten_and_the_days_before_are,
            as_many_are_forgotten_at_a_time_as_may_be;
        retention:
            payments_that_others_need_are_not_deleted,
            open_payments_are_not_deleted,
            baskets_are_deleted_by_their_age,
            statistics_are_deleted_by_their_age,
            a_person_is_erased_and_payments_stay,
            a_person_with_an_open_payment_is_not_erased;
        statistics:
            calls_of_all_nodes_are_added_up,
            an_outage_is_kept_with_its_latest_end;
        transactions:
            a_lost_race_leaves_nothing,
            a_logical_duplicate_leaves_nothing,
            a_replay_leaves_nothing,
            an_error_leaves_nothing,
            no_writes_are_done,
            every_node_sees_what_one_committed;
        contenders:
            one_of_many_updates_wins,
            one_of_many_like_payments_wins,
            one_of_many_payments_that_are_like_by_other_names_wins,
            one_of_many_replays_wins,
            one_of_many_creations_under_one_request_id_wins,
            one_of_many_first_ids_of_a_person_wins,
            one_of_many_deliveries_wins,
            every_order_is_claimed_by_one,
            four_of_many_calls_without_the_psu_win,
            one_of_many_sessions_is_the_open_one,
            a_revocation_among_many_grants_ends_one_of_them,
            one_of_many_baskets_gets_a_payment,
            no_update_is_lost;
        banks:
            a_new_database_belongs_to_no_bank,
            the_first_bank_of_a_database_stays,
            of_banks_that_open_a_database_at_once_one_is_first,
            a_database_of_this_version_is_writable;
        model:
            random_commits_end_as_in_a_naive_model;
        }
    };
    ($backend:ty) => {
        store_conformance! { @tests $backend }
    };
}

/// Tests a store by one behaviour, named as `payments::every_field_comes_back`.
/// [`store_conformance!`](crate::store_conformance) calls it.
///
/// # Panics
/// If the store does not behave so, or no behaviour has that name.
pub fn check<B: Backend>(behaviour: &str) {
    if !B::is_available() {
        return;
    }
    let behaviours = store_conformance!(@table B);
    let Some((_, run)) = behaviours.into_iter().find(|(name, _)| *name == behaviour) else {
        panic!("no behaviour is named {behaviour}");
    };
    run(&B::new());
}
