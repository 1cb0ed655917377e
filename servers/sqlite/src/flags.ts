// The switches of this server, beside those that every server has.
import type { Flags } from "@oarlock/cli";

export const flags = {
  dbPath: { type: "path", value: "FILE", help: "a database to read and write; made when there is none" },
  readWrite: { type: "boolean", help: "allow changes to the databases that are named without --db-path" },
  confirmAbove: { type: "count", value: "N", default: 100, help: "ask the user before DELETE and UPDATE change more rows than this" },
  allowDestructive: { type: "boolean", help: "let DROP, and DELETE and UPDATE of many rows, go on without asking the user" },
  insights: {
    type: "path",
    value: "FILE",
    help: "where append_insight keeps its notes; default: a file for these databases in the user's data folder",
  },
  filesDir: {
    type: "path",
    value: "DIR",
    help: "the folder of the tools on files (--toolsets default,files); default: that of the database",
  },
  queries: {
    type: "path",
    value: "FILE",
    help: "queries that become tools (--toolsets default,queries), as Datasette's metadata names them",
  },
} as const satisfies Flags;
