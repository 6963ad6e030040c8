/**
 * Until when a lock, a widget session or a lease may give a code another list status than its facet's; null when none
 * ever did. The index of busy codes is over this expression, and a statement that uses it has to spell it alike.
 */
export const BUSY_UNTIL =
	"nullif(max(coalesce(locked_until, 0), coalesce(onboarding_until, 0), coalesce(processing_until, 0)), 0)";
