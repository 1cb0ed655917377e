// --lean: which members of structured content repeat the text of the reply, and are left out. Hashes, counts and cursors stay.
export const REPEATED_MEMBERS: ReadonlySet<string> = new Set([
  "files",
  "commits",
  "branches",
  "matches",
  "entries",
  "staged",
  "unstaged",
  "untracked",
  "conflicts",
  "hunks",
  "tags",
  "stashes",
  "worktrees",
]);
