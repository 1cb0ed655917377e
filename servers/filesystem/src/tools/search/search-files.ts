// search_files: finds entries by name.
import { tool } from "@oarlock/server-kit";
import { SEARCH_LIMIT } from "../../disk/text/reply-size.ts";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { choice, count, cursor, flag, folder, object, result, text, texts, z } from "../../schema.ts";

export const searchFiles = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "search_files",
    title: "Search files by name",
    description:
      "Find files and directories by a glob: `*.ts` in the directory itself, `**/*.ts` at any depth. Looks at names, not into files.",
    input: () =>
      object({
        path: folder,
        pattern: text("Glob, relative to path"),
        excludePatterns: texts("Globs to leave out"),
        type: z.optional(choice(["file", "directory", "symlink", "other"], "Only this type")),
        limit: count(`Default ${SEARCH_LIMIT}`),
        cursor,
        respectGitignore: flag("Leave out ignored files"),
        sortBy: z.optional(choice(["name", "size", "time"], "Largest or newest first")),
        details: flag("Sizes and times too"),
        countOnly: flag("Only count"),
      }),
    output: () => result({ content: z.string(), paths: z.array(z.string()), truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    async run({ path, sortBy = "name", ...options }, ctx) {
      // Loaded on first use: most sessions never search.
      const { foundNames } = await import("../../replies/found-names.ts");
      const bounds = {
        maxBytes: pageBudget(maxResultBytes, options.limit),
        signal: ctx.signal,
        progress: (seen: number) => ctx.progress(seen, undefined, `${seen} entries looked at`),
      };
      return await foundNames(await sandboxes.of(ctx), path, { ...options, sortBy, ...bounds }, ctx);
    },
  });
