// The result of edit_file as the view reads it.
import { structuredOf, textOf, type ToolResult } from "@oarlock/extensions/page";
import type { DiffFile } from "@oarlock/extensions/page/diff";

export interface EditResult {
  readonly file: DiffFile;
  readonly applied: boolean;
  readonly replacements: number | undefined;
  /** In a dry run, of the file that was compared. */
  readonly etag: string | undefined;
  /** What the server adds after the diff, such as how to take the edit back. */
  readonly notices: string;
}

const BLOCK = /^(`{3,})diff\n([^]*?)^\1$\n*([^]*)$/m;

/** Reads the diff from the text: every host has it. `isDryRun`: the argument, for hosts without structured content. */
export function readEdit(result: ToolResult, isDryRun: boolean): EditResult {
  const { path, applied, replacements, etag, truncated, additions, deletions } = structuredOf(result) as Partial<Structured>; // of edit_file
  const [, , patch = "", notices = ""] = BLOCK.exec(textOf(result)) ?? [];
  const [, named = ""] = /^(?:Index:|\+\+\+) (.*?)(?:\tmodified)?$/m.exec(patch) ?? [];
  const hunks = patch.slice(Math.max(0, patch.search(/^@@ /m))).split("\n");
  const count = (sign: string): number => hunks.filter((line) => line.startsWith(sign)).length;
  return {
    file: {
      path: path ?? named,
      patch: /^@@ /m.test(patch) ? patch : "",
      ...((additions ?? truncated) === undefined
        ? { additions: count("+"), deletions: count("-") }
        : { ...(additions !== undefined && { additions }), ...(deletions !== undefined && { deletions }) }),
      ...(truncated === true && { isCut: true }),
    },
    applied: applied ?? !isDryRun,
    replacements,
    etag,
    notices: notices.trim(),
  };
}

interface Structured {
  path: string;
  applied: boolean;
  replacements: number;
  etag: string;
  truncated: boolean;
  additions: number;
  deletions: number;
}
