// edit_file: replaces exact pieces of a text file, all or none, and shows the diff; or converts the line endings of files.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { jsonStringBytes } from "@oarlock/domain-kit";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { newGroup } from "../../disk/trash/change-group.ts";
import { unusualFacts } from "../../replies/text-facts.ts";
import { withUndo } from "../../replies/undo-notice.ts";
import { choice, count, encoding, flag, object, path, result, text, z } from "../../schema.ts";
import { diffView } from "../../views.ts";

export const editFile = ({ sandboxes, openTrash, maxResultBytes }: Dependencies) =>
  tool({
    name: "edit_file",
    title: "Edit file",
    description:
      "Replace exact pieces of a text file; gives the diff. Each oldText must occur exactly once, unless replaceAll or expectedCount; all edits or none. Keeps encoding and line endings.",
    input: () =>
      object({
        path,
        edits: z.optional(
          z
            .array(
              z.object({
                oldText: text("Text to find, exactly"),
                newText: text("Its replacement"),
                replaceAll: flag("Replace all"),
                expectedCount: count("Replace exactly so many"),
              }),
            )
            .check(z.maxLength(1000), z.describe("Replacements, in order")),
        ),
        dryRun: flag("Only show the diff"),
        diff: z.optional(choice(["full", "summary"], "Default full")),
        lines: z.optional(text("In these lines only: 120-140")),
        matching: z._default(choice(["exact", "flexible"], "flexible: in any indentation"), "flexible"),
        expectedEtag: z.optional(text("Fail if the etag differs")),
        encoding,
        lineEnding: z.optional(choice(["lf", "crlf"], "Convert line endings")),
        paths: z.optional(z.array(z.string()).check(z.describe("lineEnding only: more files"))),
      }),
    output: () =>
      result({
        content: z.string(),
        applied: z.boolean(),
        replacements: z.int(),
        etag: z.string(),
      }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    extensions: [ui({ view: diffView })],
    async run({ path: given, paths = [], edits = [], diff: diffForm, ...rest }, ctx) {
      const group = paths.length > 0 ? newGroup() : undefined;
      const [{ editText }, { fencedWithin, summaryOf }, { convertedText, convertFiles }] = await Promise.all([
        import("../../disk/edit/file-editor.ts"),
        import("../../disk/edit/diff/diff-block.ts"),
        import("../../replies/converted-files.ts"),
      ]);
      const [sandbox, trash] = await Promise.all([
        sandboxes.of(ctx),
        rest.dryRun ? undefined : openTrash?.({ principal: ctx.auth?.principal, group }),
      ]);
      const options = { ...rest, trash, signal: ctx.signal };
      if (group !== undefined) return await convertFiles(sandbox, [given, ...paths], edits, { ...options, group });
      const { diff, form, hasCutLines = false, ...edited } = await editText(sandbox, given, edits, options);
      const budget = pageBudget(maxResultBytes, undefined, 2) - 3 * jsonStringBytes(given);
      const { content: fenced, truncated: isPart } = diffForm === "summary" ? summaryOf(edited, diff) : fencedWithin(diff, budget);
      const truncated = isPart || hasCutLines;
      const converted = edited.converted === undefined ? "" : convertedText(edited.converted, options);
      const content = edits.length === 0 ? converted : fenced + converted;
      const isLost = trash !== undefined;
      // A guarded edit is followed by another one.
      const facts = unusualFacts({ ...form, etag: rest.expectedEtag && edited.etag });
      const remarks = [facts, edited.loss ?? ""].filter((remark) => remark !== "").join(" ");
      return { content: withUndo(content, edited.undo, isLost, remarks), structured: { content, ...edited, truncated } };
    },
  });
