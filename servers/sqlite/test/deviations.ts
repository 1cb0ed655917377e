// Deliberate differences from the archived reference server, their reasons, and the tests that show them.

export interface Deviation {
  readonly what: string;
  readonly why: string;
  /** A file below test/ in which a title names the deviation. */
  readonly shownBy: string;
}

export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  name: {
    what: "`serverInfo.name` is `oarlock-sqlite`, and messages on stderr differ.",
    why: "Two servers should not share a name.",
    shownBy: "start.test.ts",
  },
  json: {
    what: "Rows come as JSON, in the text and as structured content, not as Python's notation.",
    why: "Programs can parse it, and models read the same values.",
    shownBy: "tools/read-query.test.ts",
  },
  errors: {
    what: "Errors are flagged as errors and name the next step; for a wrong name they suggest similar ones.",
    why: "They were returned as successful results.",
    shownBy: "tools/read-query.test.ts",
  },
  reads: {
    what: "`read_query` accepts every statement that only reads: `WITH`, `VALUES`, comments, `EXPLAIN`.",
    why: "Only statements that began with SELECT were accepted.",
    shownBy: "tools/read-query.test.ts",
  },
  writes: {
    what: "A change that `write_query` reports is in the file, also for `REPLACE` and statements after a comment.",
    why: "They were rolled back without an error.",
    shownBy: "tools/write-query.test.ts",
  },
  "one-statement": {
    what: "`ATTACH`, `VACUUM`, PRAGMA, transactions, temporary objects and several statements in one text are refused.",
    why: "They reach other files, or leave state on the connection.",
    shownBy: "tools/write-query.test.ts",
  },
  questions: {
    what: "`DROP` that may lose something, and `DELETE` and `UPDATE` of more than 100 rows, ask the user first.",
    why: "A mistake of the model should not empty a table.",
    shownBy: "tools/confirmation.test.ts",
  },
  "foreign-keys": {
    what: "Foreign keys are checked.",
    why: "SQLite's default is off, which surprises users.",
    shownBy: "tools/write-query.test.ts",
  },
  "create-table": {
    what: "`create_table` creates ordinary tables only.",
    why: "Every text that began with CREATE TABLE was executed.",
    shownBy: "tools/write-query.test.ts",
  },
  "read-only": {
    what: "Files named without `--db-path` are read-only; `--read-write` allows changes.",
    why: "Changes should need the operator's permission.",
    shownBy: "start.deep.test.ts",
  },
  "first-write": {
    what: "A database that does not exist is created by the first call, not at the start; the start announces it.",
    why: "Starting a server should change nothing.",
    shownBy: "start.deep.test.ts",
  },
  insights: {
    what: "Insights are kept in a file of their own; each line of the memo is one insight.",
    why: "They were lost at each restart.",
    shownBy: "db/watch/change-watch.test.ts",
  },
  limits: {
    what: "Replies, values and running times are limited; a truncated reply is marked and tells how to continue.",
    why: "One query could use all memory and block every other call.",
    shownBy: "tools/read-query.test.ts",
  },
};
