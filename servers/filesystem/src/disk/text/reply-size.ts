// What an answer weighs on the wire: a text goes out inside JSON, and once more in the structured result that the official
// servers' clients expect. Lists end before they grow past what one reply may be (2.5 MB), and say so.

/** For the lists of one answer; the rest of the reply has room beside it. */
export const REPLY_BYTES = 2_000_000;

/** Entries of a tree, and paths found, unless a call says otherwise. */
export const TREE_ENTRIES = 5000;
export const SEARCH_LIMIT = 1000;
