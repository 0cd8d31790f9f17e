//! Other trust anchors while the engine runs.

use super::logging::caught;
use super::validity::warn_of_anchors;
use super::Engine;
use crate::tpp::trust::TrustAnchors;

impl Engine {
    /// Puts other trust anchors in the place of those there are. From the next call on the new ones count alone; a
    /// call that is under way may still end under the old ones. Those whose validity is over or yet to begin, and those
    /// whose keys are not supported, are logged, and so is that there are none: then every TPP is refused.
    pub fn replace_trust_anchors(&self, anchors: TrustAnchors) {
        // They are put in place though the host's clock panics.
        self.logging.around(|| {
            caught("replace_trust_anchors", || warn_of_anchors(&anchors, self.context.clock.now()));
        });
        self.context.replace_trust(anchors);
    }
}
