// Feature: the three kinds of definitions that a server lists.

/** A feature whose list may change. */
export type Feature = "tools" | "resources" | "prompts";
