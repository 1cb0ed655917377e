// The switches of this server; those that every server has come from the command line package.
import type { Flags } from "@oarlock/cli";

export const flags = {
  dbPath: { type: "path", value: "FILE", help: "a database to read and write; created if it does not exist" },
  readWrite: { type: "boolean", help: "allow changes to the databases named without --db-path" },
  lockdown: { type: "boolean", help: "refuse databases and CSV files whose owner is neither the user of the server nor root" },
  confirmAbove: {
    type: "count",
    value: "N",
    default: 100,
    help: "ask the user before more existing rows than this are changed or removed",
  },
  allowDestructive: { type: "boolean", help: "do not ask the user before DROP, or before many rows are changed or removed" },
  lean: { type: "boolean", help: "save context: no rows twice in a reply, and no output schemas" },
  insights: {
    type: "path",
    value: "FILE",
    help: "the file of append_insight; default: one for these databases in the user's data folder",
  },
  filesDir: {
    type: "path",
    value: "DIR",
    help: "the folder for import, export and backup (--toolsets default,files); default: that of the database",
  },
  queries: {
    type: "path",
    value: "FILE",
    help: "queries to offer as tools (--toolsets default,queries), in a Datasette metadata file",
  },
} as const satisfies Flags;
