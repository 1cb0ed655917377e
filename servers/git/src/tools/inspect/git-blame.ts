// git_blame: which commit last changed each line, with the lines.
import { ui } from "@oarlock/extensions/apps";
import { tool, type InferOutput, type InteractiveContext } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readBlame } from "../../repo/history/blame.ts";
import { changedColumns } from "../../repo/history/changed-columns.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { items, z, result, repo_path, optionalWord, object, flag, file, cursor, count } from "../../schema.ts";
import { blameView } from "../../views.ts";
import { DEFAULT_TEXT_BYTES, pageMembers, toObjects, withPageNotices } from "../structured.ts";
import { BlamePage, needsCut } from "./blame-page.ts";

/** Kept free for the members around the hunks. */
const RESERVED_BYTES = 4096;

export const blameArguments = () =>
  object({
    repo_path,
    path: file("File"),
    start_line: count("First line, from 1"),
    end_line: count("Last line"),
    revision: optionalWord("At this revision"),
    ignore_whitespace: flag("Ignore whitespace changes"),
    follow: flag("Track lines moved between files"),
    cursor,
  });

export const gitBlame = (deps: Dependencies) =>
  tool({
    name: "git_blame",
    title: "Blame",
    description: "Show which commit last changed each line of a file.",
    input: blameArguments,
    output: () =>
      result({
        hunks: items(),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: blameView })],
    async run(input, ctx) {
      const maxTextBytes = input.end_line === undefined ? DEFAULT_TEXT_BYTES : Infinity;
      const { page, nextCursor, structured } = await readBlamePage(deps, input, maxTextBytes, ctx);
      return { content: withPageNotices(page.text, nextCursor, page.isClipped ? "long lines" : undefined), structured };
    },
  });

/** A page of a blame, as `run` of a tool needs it. */
export async function readBlamePage(
  deps: Dependencies,
  { repo_path: repoPath, path, start_line: first = 1, end_line: end, revision, cursor: from, ...flags }: BlameInput,
  maxTextBytes: number,
  ctx: InteractiveContext,
) {
  const repository = await openRepository(deps, ctx, repoPath);
  const inRevision = revision !== undefined || repository.state.isBare;
  const commit = inRevision ? await resolveCommit(repository, revision ?? "HEAD", ctx.signal) : undefined;
  const query = ["blame", repository.state.gitDir, path, first, end, revision, flags];
  const start = from === undefined ? first : Number(repository.cursors.open(query, from));
  const { ignore_whitespace: ignoreWhitespace, follow } = flags;
  const blame = await readBlame(repository, { path, start, end, commit, ignoreWhitespace, follow, signal: ctx.signal });
  const maxBytes = deps.maxResultBytes - RESERVED_BYTES;
  const maxPageBytes = Math.min(maxTextBytes, maxBytes);
  const columns = needsCut(blame.lines, maxPageBytes) ? await changedColumns(repository, blame, start, ctx.signal) : undefined;
  const page = new BlamePage(blame, start, { maxBytes, maxTextBytes: maxPageBytes, columns });
  const nextCursor = page.nextLine === undefined ? undefined : repository.cursors.seal(query, String(page.nextLine));
  const { path: shownPath, totalLines } = blame;
  const structured = { hunks: toObjects(page.hunks), path: shownPath, totalLines, ...pageMembers(nextCursor, page.isClipped) };
  return { page, nextCursor, structured };
}

type BlameInput = InferOutput<ReturnType<typeof blameArguments>>;
