// write_file: create, replace or extend a text file, in one step that a crash cannot tear.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import type { Area } from "../disk/access/area.ts";
import type { WriteOptions, Written } from "../disk/write/text-writer.ts";
import type { Parts } from "../dependencies.ts";
import { isYes } from "../questions.ts";
import { choice, flag, object, path, result, text, z } from "../schema.ts";

export const writeFile = ({ folders }: Parts) =>
  tool({
    name: "write_file",
    title: "Write file",
    description:
      "Create a file or replace all of its content; mode append adds to its end, create refuses an existing file. With expectedEtag a file that changed meanwhile is not replaced without asking.",
    input: () =>
      object({
        path,
        content: text("The text to write"),
        mode: z._default(choice(["overwrite", "append", "create"], "If the file exists"), "overwrite"),
        createDirectories: flag("Make missing directories above it"),
        expectedEtag: z.optional(text("etag of a read")),
        encoding: z.optional(choice(["utf-8", "utf-16le", "utf-16be", "latin1", "windows-1252"], "Encoding to write")),
      }),
    output: () => result({ content: z.string(), bytesWritten: z.int(), created: z.boolean(), etag: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ path: given, content: written, ...options }, ctx) {
      const area = await folders.of(ctx);
      const result = await writeOrAsk(area, given, written, { ...options, signal: ctx.signal }, ctx);
      const content = `Successfully wrote to ${given}`;
      return { content, structured: { content, ...result } };
    },
  });

/** A file that changed since its etag was given is written only if its user says so. */
async function writeOrAsk(area: Area, path: string, content: string, options: WriteOptions, ctx: InteractiveContext): Promise<Written> {
  const [{ writeText }, { EtagConflict }] = await Promise.all([
    import("../disk/write/text-writer.ts"),
    import("../disk/write/expected-etag.ts"),
  ]);
  for (let wanted = options; ;) {
    try {
      return await writeText(area, path, content, wanted);
    } catch (error) {
      if (!(error instanceof EtagConflict) || !ctx.client.can("elicit")) throw error;
      const { current } = error;
      if (!(await isYes(ctx, question(path, options.mode, current)))) throw error;
      // A yes is about the file as it was then; where it changes once more, it is asked about anew.
      wanted = current === undefined ? { ...options, expectedEtag: undefined, mode: "create" } : { ...options, expectedEtag: current };
    }
  }
}

/** The etag makes it another question for another file. */
function question(path: string, mode: WriteOptions["mode"], etag: string | undefined): string {
  if (etag === undefined) return `${path} does not exist any more. Create it all the same?`;
  const act = mode === "append" ? "Add to" : "Replace";
  return `${path} has changed since it was read; its etag is now ${etag}. ${act} it all the same?`;
}
