// search_files: finds entries by name.
import { tool } from "@oarlock/server-kit";
import { SEARCH_LIMIT } from "../../disk/text/reply-size.ts";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { choice, count, cursor, flag, folder, object, result, text, texts, z } from "../../schema.ts";
import { warnOfUnreadable } from "../../replies/unreadable-directories.ts";

export const searchFiles = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "search_files",
    title: "Search files by name",
    description:
      "Find files and directories by a glob: `*.ts` in the directory itself, `**/*.ts` at any depth (search_file_contents takes `*.ts` for both). Looks at names, not into files. Gives absolute paths.",
    input: () =>
      object({
        path: folder,
        pattern: text("Glob, relative to path"),
        excludePatterns: texts("Globs to leave out"),
        type: z.optional(choice(["file", "directory", "symlink", "other"], "Only this type")),
        limit: count(`Results on a page, default ${SEARCH_LIMIT}`),
        cursor,
        respectGitignore: flag("Leave out what git ignores"),
        sortBy: z._default(choice(["path", "modified"], "By path, or newest first"), "path"),
      }),
    output: () => result({ content: z.string(), paths: z.array(z.string()), truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    async run({ path, sortBy, ...options }, ctx) {
      const { searchFiles: searchByPath, searchText } = await import("../../disk/search/names/name-search.ts");
      const search = sortBy === "modified" ? (await import("../../disk/search/names/newest-first.ts")).searchNewest : searchByPath;
      const result = await search(await sandboxes.of(ctx), path, {
        ...options,
        maxBytes: pageBudget(maxResultBytes, options.limit),
        signal: ctx.signal,
        progress: (seen) => ctx.progress(seen, undefined, `${seen} entries looked at`),
      });
      warnOfUnreadable(result.walked, ctx);
      const { paths, truncated, nextCursor } = result;
      const content = searchText(result);
      return { content, structured: { content, paths: [...paths], truncated, nextCursor } };
    },
  });
