// git_blame: who wrote which lines, in hunks, with the lines in the text.
import { tool } from "@oarlock/server-kit";
import { blameOf, type Blame, type Hunk } from "../../repo/history/blame.ts";
import { shown } from "../../repo/text/file-names.ts";
import { wireBytes } from "../../repo/text/json-size.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { count, file, flag, maybe, object, repo_path, result, z } from "../../schema.ts";

export const gitBlame = (parts: Parts) =>
  tool({
    name: "git_blame",
    title: "Blame",
    description: "Show which commit last changed each line of a file.",
    input: () =>
      object({
        repo_path,
        path: file("File"),
        start_line: count("First line, from 1"),
        end_line: count("Last line"),
        revision: maybe("As of this revision, not the work tree"),
        ignore_whitespace: flag("Ignore changes of blanks"),
        follow: flag("Also find lines moved from other files"),
      }),
    output: () =>
      result({
        hunks: z.array(
          z.looseObject({
            startLine: z.int(),
            endLine: z.int(),
            hash: z.string(),
            author: z.string(),
            date: z.string(),
            summary: z.string(),
          }),
        ),
        truncated: z.boolean(),
        nextOffset: z.optional(z.int()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run(
      { repo_path: where, path, start_line: start = 1, end_line: end, revision, ignore_whitespace: ignoreWhitespace, follow },
      ctx,
    ) {
      const repository = await opened(parts, ctx, where);
      const commit = revision !== undefined || repository.facts.bare ? await repository.commit(revision ?? "HEAD", ctx.signal) : undefined;
      const blame = await blameOf(repository, { path, start, end, commit, ignoreWhitespace, follow, signal: ctx.signal });
      const { text: shownLines, hunks, next, clipped } = fitting(blame, start, parts.maxResultBytes - 4096);
      const text = clipped ? `${shownLines}\n[truncated: long lines are clipped]` : shownLines;
      const facts = { path: blame.path, totalLines: blame.totalLines, truncated: clipped || next !== undefined };
      return {
        content: next === undefined ? text : `${text}\n[truncated: go on with start_line ${next}]`,
        structured: { hunks: hunks.map((hunk) => ({ ...hunk })), ...facts, ...(next !== undefined && { nextOffset: next }) },
      };
    },
  });

/** As many lines as a reply holds, and the line to go on with. */
function fitting({ hunks, lines }: Blame, start: number, most: number): { text: string; hunks: Hunk[]; next?: number; clipped: boolean } {
  const said: string[] = [];
  const told: Hunk[] = [];
  let room = most;
  let clipped = false;
  const known = new Set<string>();
  for (const hunk of hunks) {
    // What a commit is about is said once.
    const about = known.has(hunk.hash) ? "" : ` ${hunk.author} ${hunk.date.slice(0, 10)} ${shown(hunk.summary)}`;
    known.add(hunk.hash);
    const head = hunk.hash.slice(0, 12) + about;
    room -= wireBytes(head) + wireBytes(hunk.author) + wireBytes(hunk.summary) + wireBytes(hunk.oldPath ?? "") + 180;
    if (room < 0 && told.length > 0) return { text: said.join("\n"), hunks: told, next: hunk.startLine, clipped };
    said.push(head);
    for (let number = hunk.startLine; number <= hunk.endLine; number++) {
      let line = lines[number - start] ?? "";
      let weight = wireBytes(line) + 9;
      // A line by itself that no reply holds is cut; there is no part of a line to go on with.
      if (weight > most / 2) {
        line = `${line.slice(0, Math.floor(most / 16))}…`;
        weight = wireBytes(line) + 9;
        clipped = true;
      }
      if ((room -= weight) < 0 && number > start) {
        if (number > hunk.startLine) told.push({ ...hunk, endLine: number - 1 });
        else said.pop();
        return { text: said.join("\n"), hunks: told, next: number, clipped };
      }
      said.push(`${String(number).padStart(6)}\t${line}`);
    }
    told.push(hunk);
  }
  return { text: said.join("\n"), hunks: told, clipped };
}
