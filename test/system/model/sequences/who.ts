/** Whose key: the owner's of the code at hand, one of theirs that is not for this, another partner's, one that has ended, none. */
export type Who = "owner" | "limited" | "elsewhere" | "stranger" | "ended" | "unknown" | "none";
