// edit_file: exact replacements in a text file, all or none, with the diff.
import { tool } from "@oarlock/server-kit";
import { jsonStringBytes } from "@oarlock/domain-kit";
import { textRoom, type Parts } from "../dependencies.ts";
import { choice, count, flag, object, path, result, text, z } from "../schema.ts";

export const editFile = ({ folders, maxResultBytes }: Parts) =>
  tool({
    name: "edit_file",
    title: "Edit file",
    description:
      "Replace exact pieces of a text file and get the diff. Each oldText must occur exactly once, unless replaceAll or expectedCount says otherwise; all edits are made or none. Encoding and line endings are kept.",
    input: () =>
      object({
        path,
        edits: z
          .array(
            z.object({
              oldText: text("Text to find, exactly"),
              newText: text("Text to put in its place"),
              replaceAll: flag("Replace all"),
              expectedCount: count("Replace exactly so many"),
            }),
          )
          .check(z.minLength(1), z.maxLength(1000), z.describe("Replacements, in order")),
        dryRun: flag("Only show the diff"),
        matching: z._default(choice(["exact", "flexible"], "flexible also finds text that differs by one indentation shift"), "flexible"),
        expectedEtag: z.optional(text("Fail if the etag is another")),
      }),
    output: () =>
      result({
        content: z.string(),
        applied: z.boolean(),
        replacements: z.int(),
        etag: z.string(),
        truncated: z.boolean(),
      }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path: given, edits, ...options }, ctx) {
      const [{ editText }, { fenced }] = await Promise.all([import("../disk/edit/file-editor.ts"), import("../disk/edit/unified-diff.ts")]);
      const { diff, ...result } = await editText(await folders.of(ctx), given, edits, { ...options, signal: ctx.signal });
      const { content, truncated } = fitting(diff, fenced, textRoom(maxResultBytes) - 3 * jsonStringBytes(given));
      return { content, structured: { content, ...result, truncated } };
    },
  });

/** The diff as a block, and cut where it is too heavy for a reply: what was done is told in any case. */
function fitting(diff: string, fenced: (diff: string) => string, room: number): { content: string; truncated: boolean } {
  // No character weighs less than one byte: what cannot fit is not weighed.
  let cut = diff.slice(0, Math.max(room, 0));
  const first = fenced(cut);
  if (cut.length === diff.length && 2 * jsonStringBytes(first) <= room) return { content: first, truncated: false };
  for (let weight = 2 * jsonStringBytes(first); weight > room && cut !== ""; weight = 2 * jsonStringBytes(fenced(cut))) {
    cut = cut.slice(0, Math.floor(cut.length * Math.min(0.9, room / weight)));
    cut = cut.slice(0, cut.lastIndexOf("\n") + 1);
  }
  return {
    content: `${fenced(cut)}(truncated: the diff is ${diff.length} characters long and is shown up to ${cut.length})`,
    truncated: true,
  };
}
