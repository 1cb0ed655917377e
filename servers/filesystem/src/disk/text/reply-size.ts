// Default sizes of lists in a reply. A text goes out inside JSON, and once more in the structured result that clients of the reference
// server expect. Lists are cut before a reply grows beyond 2.5 MB, with a notice.

/** The most bytes of the lists of one reply, beside its other members. */
export const REPLY_BYTES = 2_000_000;

/** Entries of a tree, and paths on a page of a search, by default. */
export const TREE_ENTRIES = 5000;
export const SEARCH_LIMIT = 1000;
