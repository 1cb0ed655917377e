// write_file: creates, replaces or extends a file.
import { escapeControls } from "@oarlock/domain-kit";
import { confirm, tool, type InteractiveContext } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import type { Sandbox } from "../../disk/access/sandbox.ts";
import type { WriteOptions, Written } from "../../disk/write/text-writer.ts";
import { factsLine } from "../../replies/text-facts.ts";
import { withUndo } from "../../replies/undo-notice.ts";
import { choice, flag, object, path, result, text, z } from "../../schema.ts";

export const writeFile = ({ sandboxes, openTrash }: Dependencies) =>
  tool({
    name: "write_file",
    title: "Write file",
    description:
      "Create a file or replace its content; append adds to its end in its encoding, create refuses an existing file. With expectedEtag a changed file is replaced only after asking.",
    input: () =>
      object({
        path,
        content: text("The text to write, or base64"),
        mode: z._default(choice(["overwrite", "append", "create"], "If the file exists"), "overwrite"),
        createDirectories: flag("Make missing directories"),
        expectedEtag: z.optional(text("etag of a read")),
        encoding: z.optional(text("Default utf-8; base64 for bytes; or gbk, …")),
      }),
    output: () => result({ content: z.string(), bytesWritten: z.int(), created: z.boolean(), etag: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path: given, content: newContent, ...options }, ctx) {
      const [sandbox, trash] = await Promise.all([sandboxes.of(ctx), openTrash?.({ principal: ctx.auth?.principal })]);
      const { notes = [], ...written } = await writeOrConfirm(sandbox, given, newContent, { ...options, trash, signal: ctx.signal }, ctx);
      const content = writtenText(escapeControls(given), written, options.mode);
      const isLost = trash !== undefined && !written.created && written.unchanged !== true && options.mode === "overwrite";
      // A guarded write is followed by another one.
      const facts = factsLine({ etag: options.expectedEtag && written.etag });
      const remarks = [facts, ...notes, written.loss ?? ""].filter((remark) => remark !== "").join(" ");
      return {
        content: withUndo(content, written.undo, isLost, remarks),
        structured: { content, ...written },
      };
    },
  });

function writtenText(path: string, { unchanged }: Written, mode: WriteOptions["mode"]): string {
  if (unchanged !== true) return `Successfully wrote to ${path}`;
  const why = mode === "append" ? "the content to append is empty" : "the file has exactly this content already";
  return `No change: ${why}: ${path}`;
}

/** A file that has changed since its etag was read is written only when the user agrees. */
async function writeOrConfirm(
  sandbox: Sandbox,
  path: string,
  content: string,
  options: WriteOptions,
  ctx: InteractiveContext,
): Promise<Written> {
  const [{ writeText }, { EtagConflict }] = await Promise.all([
    import("../../disk/write/text-writer.ts"),
    import("../../disk/write/expected-etag.ts"),
  ]);
  for (let attempt = options; ;) {
    try {
      return await writeText(sandbox, path, content, attempt);
    } catch (error) {
      if (!(error instanceof EtagConflict)) throw error;
      const { current } = error;
      if (!(await confirm(ctx, question(path, options.mode, current), error.message))) throw error;
      // The user agreed to the file as it was then; where it changes once more, the user is asked again.
      attempt = current === undefined ? { ...options, expectedEtag: undefined, mode: "create" } : { ...options, expectedEtag: current };
    }
  }
}

/** The etag is part of the question: an answer counts for the content that it was about. */
function question(path: string, mode: WriteOptions["mode"], etag: string | undefined): string {
  if (etag === undefined) return `${escapeControls(path)} does not exist any more. Create it anyway?`;
  const act = mode === "append" ? "Add to" : "Replace";
  return `${escapeControls(path)} has changed since it was read; its etag is now ${etag}. ${act} it anyway?`;
}
