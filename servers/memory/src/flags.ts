// The switches of this server, beside those that every server has.
import type { Flags } from "@oarlock/cli";

export const flags = {
  db: {
    type: "path",
    value: "FILE",
    formerly: "MEMORY_FILE_PATH",
    help: "where the memory lies: a .jsonl file, kept as a mirror, or a .db file; else MEMORY_FILE_PATH",
  },
  allowPurge: { type: "boolean", help: "let purges, merges and large deletions go on without asking the user" },
} as const satisfies Flags;
