// search_file_contents: finds lines in files, as grep does.
import { tool } from "@oarlock/server-kit";
import { displayPathFrom } from "../../disk/access/path-syntax.ts";
import { DEFAULT_CONTENTS_LIMIT } from "../../disk/search/contents/options.ts";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { choice, count, cursor, flag, object, result, text, texts, z } from "../../schema.ts";

export const searchFileContents = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "search_file_contents",
    title: "Search in files",
    description: "Search inside files, like grep. Leaves out binary, hidden, ignored and linked files.",
    input: () =>
      object({
        path: text("Directory or file"),
        pattern: text("Regular expression"),
        literal: flag("pattern is plain text"),
        caseSensitive: z._default(z.boolean(), true).check(z.describe("Mind the case")),
        multiline: flag("Matches may span lines"),
        include: texts("Globs relative to path; *.ts at any depth"),
        exclude: texts("Such globs to leave out"),
        contextLines: z._default(z.int().check(z.minimum(0)), 0).check(z.describe("Lines around each match")),
        outputMode: z._default(choice(["content", "files", "count"], "Lines, files, or counts"), "content"),
        limit: count(`Default ${DEFAULT_CONTENTS_LIMIT}`),
        cursor,
        respectGitignore: z._default(z.boolean(), true).check(z.describe("Leave out ignored files")),
        includeHidden: flag("Hidden files too"),
        encoding: z.optional(text("Of all files")),
      }),
    output: () =>
      result({
        matches: z.optional(z.array(z.looseObject({ path: z.string(), line: z.int(), text: z.string() }))),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ path, ...options }, ctx) {
      // Loaded on first use: most sessions never search.
      const [{ searchContents }, { contentsText }, { displayedSkipped }] = await Promise.all([
        import("../../disk/search/contents/content-search.ts"),
        import("../../disk/search/contents/result-text.ts"),
        import("../../disk/search/contents/skipped-text.ts"),
      ]);
      const all = await searchContents(await sandboxes.of(ctx), path, {
        ...options,
        maxBytes: pageBudget(maxResultBytes, options.limit, 2),
        signal: ctx.signal,
        progress: (ms, files) => ctx.progress(ms, undefined, `${files} files match`),
      });
      const displayPath = displayPathFrom(path, all.start);
      const matches = all.matches.map((match) => ({ ...match, path: displayPath(match.path) }));
      const files = all.files.map(({ path: real, count }) => ({ path: displayPath(real), count }));
      const found = { ...all, matches, files, skipped: all.skipped && displayedSkipped(all.skipped, displayPath) };
      if (found.incomplete) ctx.log.warning("Some files or directories could not be read, and were not searched.");
      const { filesSearched, filesMatched, truncated, nextCursor } = found;
      const list = { content: { matches }, files: { files: files.map((file) => file.path) }, count: { counts: files } }[options.outputMode];
      return {
        content: contentsText(found, options.outputMode),
        structured: { ...list, filesSearched, filesMatched, truncated, nextCursor },
      };
    },
  });
