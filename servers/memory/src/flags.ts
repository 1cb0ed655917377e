// The switches of this server besides those of every server.
import type { Flags } from "@oarlock/cli";

export const flags = {
  db: {
    type: "path",
    value: "FILE",
    legacyEnv: "MEMORY_FILE_PATH",
    help: "where the memory is stored: a .jsonl file, kept as a mirror, or a .db file; else MEMORY_FILE_PATH",
  },
  allowPurge: { type: "boolean", help: "let purges, merges and large deletions run without confirmation by the user" },
} as const satisfies Flags;
