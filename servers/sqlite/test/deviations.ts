// Where this server differs from the archived reference server on purpose, why, and which test shows it.

export interface Deviation {
  readonly what: string;
  readonly why: string;
  /** A file below test/ in which a title names the deviation. */
  readonly shownBy: string;
}

export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  name: {
    what: "`serverInfo.name` is `oarlock-sqlite`, and the lines on stderr are its own.",
    why: "Two servers should not go by one name.",
    shownBy: "start.test.ts",
  },
  json: {
    what: "Rows come as JSON, in the text and as structured content, not as Python's notation.",
    why: "A program can read it, and a model reads the same values.",
    shownBy: "tools/read-query.test.ts",
  },
  errors: {
    what: "Errors are flagged as such, and say what to do; a wrong name comes with the nearest ones.",
    why: "They came as successful results.",
    shownBy: "tools/read-query.test.ts",
  },
  reads: {
    what: "`read_query` takes whatever only reads: `WITH`, `VALUES`, comments, `EXPLAIN`.",
    why: "Only what began with SELECT was taken for reading.",
    shownBy: "tools/read-query.test.ts",
  },
  writes: {
    what: "What `write_query` reports as done is in the file: `REPLACE`, and statements behind a comment, too.",
    why: "They ran, and were undone without a word.",
    shownBy: "tools/write-query.test.ts",
  },
  "one-statement": {
    what: "`ATTACH`, `VACUUM`, PRAGMA, transactions, temporary objects and several statements in one text are refused.",
    why: "They reach other files, or stay on the connection for whoever comes next.",
    shownBy: "tools/write-query.test.ts",
  },
  questions: {
    what: "`DROP`, and `DELETE` and `UPDATE` of more than 100 rows, ask the user first.",
    why: "A model's mistake should not empty a table.",
    shownBy: "tools/write-query.test.ts",
  },
  "foreign-keys": {
    what: "Foreign keys are checked.",
    why: "SQLite leaves them off unless told otherwise, which surprises people.",
    shownBy: "tools/write-query.test.ts",
  },
  "create-table": {
    what: "`create_table` makes ordinary tables only.",
    why: "Anything that began with CREATE TABLE in its text was run.",
    shownBy: "tools/write-query.test.ts",
  },
  "read-only": {
    what: "Files named without `--db-path` are served for reading; `--read-write` allows changes.",
    why: "What is not asked for should not be possible.",
    shownBy: "start.test.ts",
  },
  "first-write": {
    what: "A database that does not exist is made by the first write, not by the start.",
    why: "A start should touch nothing.",
    shownBy: "start.test.ts",
  },
  insights: {
    what: "Insights outlast the server, in a file of its own; a line of the memo is an insight, whatever is in it.",
    why: "They were gone at each restart.",
    shownBy: "db/watch/change-watch.test.ts",
  },
  limits: {
    what: "Replies, values and running times are bounded; what was cut says so and how to go on.",
    why: "One query could take all memory, all time, and every other call with it.",
    shownBy: "tools/read-query.test.ts",
  },
};
