// --lean: which members of structured results repeat the text of the reply. Cursors, counts and what was not found stay.

export const REPEATED_MEMBERS: ReadonlySet<string> = new Set([
  "entities",
  "relations",
  "more",
  "nodes",
  "edges",
  "path",
  "events",
  "facts",
  "recorded",
  "past",
  "renamed",
  "results",
  "message",
  "entityTypes",
  "relationTypes",
  "largest",
  "possibleDuplicates",
]);
