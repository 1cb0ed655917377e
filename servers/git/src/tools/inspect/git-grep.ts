// git_grep: finds lines in tracked files, or in the files of a revision.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { searchLines } from "../../repo/history/grep.ts";
import type { Match } from "../../repo/history/grep-parser.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { items, z, word, result, repo_path, paths, optionalWord, object, lines, flag, cursor, count } from "../../schema.ts";
import { DEFAULT_TEXT_BYTES, pageMembers, toObjects, withPageNotices } from "../structured.ts";

const DEFAULT_LIMIT = 200;
const MAX_CONTEXT_LINES = 50;
/** The part of a reply that matches may take; the rest is for the JSON around them. */
const MATCH_SHARE = 0.8;

export const gitGrep = (deps: Dependencies) =>
  tool({
    name: "git_grep",
    title: "Search in files",
    description: "Find lines in tracked files by an extended regular expression.",
    input: () =>
      object({
        repo_path,
        pattern: word("What to find"),
        revision: optionalWord("Revision to search"),
        paths,
        literal: flag("pattern is plain text"),
        ignore_case: flag("Ignore case"),
        word: flag("Whole words only"),
        context_lines: lines("Around each match", 0),
        limit: count(`Default ${DEFAULT_LIMIT}`),
        cursor,
      }),
    output: () =>
      result({
        matches: items(),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: repoPath, revision, ignore_case: ignoreCase, context_lines, limit, ...options }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const inRevision = revision !== undefined || repository.state.isBare;
      const { matches, nextCursor, isClipped } = await searchLines(repository, {
        ...options,
        commit: inRevision ? await resolveCommit(repository, revision ?? "HEAD", ctx.signal) : undefined,
        ignoreCase,
        contextLines: Math.min(context_lines, MAX_CONTEXT_LINES),
        limit: limit ?? DEFAULT_LIMIT,
        maxJsonBytes: Math.min(Math.floor(deps.maxResultBytes * MATCH_SHARE), limit === undefined ? DEFAULT_TEXT_BYTES : Infinity),
        signal: ctx.signal,
      });
      const text = matches.length === 0 ? "No matches" : matches.map(matchText).join("\n");
      return {
        content: withPageNotices(text, nextCursor, isClipped ? "long lines" : undefined),
        structured: { matches: toObjects(matches), ...pageMembers(nextCursor, isClipped) },
      };
    },
  });

/** A line that follows one match and precedes the next is printed once. */
function matchText(match: Match, index: number, all: readonly Match[]): string {
  const { path, line, column, text, before = [], after = [] } = match;
  const name = escapeControls(path);
  const previous = index === 0 ? undefined : all[index - 1];
  const printedUpTo = previous?.path === path ? previous.line + (previous.after?.length ?? 0) : 0;
  const first = line - before.length;
  return [
    ...before.flatMap((one, at) => (first + at > printedUpTo ? `${name}-${first + at}- ${one}` : [])),
    `${name}:${line}:${column === undefined ? "" : `${column}:`} ${text}`,
    ...after.map((one, at) => `${name}-${line + 1 + at}- ${one}`),
  ].join("\n");
}
