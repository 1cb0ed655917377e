// backup_database: copies a database.
import { clip, counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { database, flag, object, result, timeout, z } from "../../argument-schemas.ts";
import type { Dependencies } from "../../dependencies.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

const REPLACING = "The database keeps its size: its operator may put the copy in its place while no program has it open.";

export const backupDatabase = (deps: Dependencies) =>
  tool({
    name: "backup_database",
    title: "Back up a database",
    description: "Copy a database to a new file while other programs use it. Does not overwrite a file.",
    toolset: TOOLSET,
    input: () => object({ path, compact: flag("Leave free room out, as VACUUM does"), database, timeout_ms: timeout }),
    output: () => result({ path: z.string(), pages: z.int() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ path: file, compact, database: name, timeout_ms: timeoutMs }, ctx) {
      const { scratchFolder, writeNewFile } = await import("../../db/outside-files.ts");
      const db = deps.databases.get(name);
      const onProgress = (pages: number, total: number): void => ctx.progress(pages, total, `${pages} of ${counted(total, "page")}`);
      const { reply } = await writeNewFile(folderFor(deps, db), file, async (newFile) => {
        using scratch = scratchFolder();
        return await db.writeFile({ op: "backup", file: newFile, scratchFolder: scratch.path, compact }, ctx, { timeoutMs, onProgress });
      });
      const before = reply.pagesBefore === undefined ? "" : ` of ${reply.pagesBefore}. ${REPLACING}`;
      return {
        content: `Copied ${clip(db.name)} to ${clip(file)}: ${counted(reply.pages, "page")}${before}`,
        structured: { path: file, ...reply },
      };
    },
  });
