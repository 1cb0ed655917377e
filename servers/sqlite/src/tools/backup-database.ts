// backup_database: a copy of a database.
import { tool } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import type { BackupTold } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { database, object, result, timeout, z } from "../argument-schemas.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

export const backupDatabase = (parts: Parts) =>
  tool({
    name: "backup_database",
    title: "Back up a database",
    description: "Copy a database to a new file while others go on using it. A file that exists is not overwritten.",
    toolset: TOOLSET,
    input: () => object({ path, database, timeout_ms: timeout }),
    output: () => result({ path: z.string(), pages: z.int() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ path: file, database: name, timeout_ms: timeoutMs }, ctx) {
      const { writeNew } = await import("../db/outside-files.ts");
      const db = parts.databases.get(name);
      const progress = (pages: number, total: number): void => ctx.progress(pages, total, `${pages} of ${counted(total, "page")}`);
      const told = await writeNew(folderFor(parts, db), file, async (part) => {
        const { done } = await db.writeOut({ op: "backup", file: part }, ctx, { timeoutMs, progress });
        return done as BackupTold; // our own process told it
      });
      return { content: `Copied ${db.name} to ${file}: ${counted(told.pages, "page")}`, structured: { path: file, ...told } };
    },
  });
