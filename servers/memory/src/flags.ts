// The switches of this server besides those of every server.
import type { Flags } from "@oarlock/cli";

export const flags = {
  db: {
    type: "path",
    value: "FILE|URL",
    legacyEnv: "MEMORY_FILE_PATH",
    help: "where the memory is stored: a .jsonl file, kept as a mirror, a .db file, or postgres://…; else MEMORY_FILE_PATH",
  },
  lean: { type: "boolean", help: "save context: no text twice in a reply, and no schemas of results" },
  allowPurge: { type: "boolean", help: "let purges, merges and large deletions run without confirmation by the user" },
} as const satisfies Flags;
