// outline_file: the declarations of a source file. In a toolset that is off by default.
import { escapeControls, jsonStringBytes, takeWithin } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import type { OutlineEntry } from "../../disk/outline/outline.ts";
import { object, path, result, z } from "../../schema.ts";

/** Bytes of an entry in the structured result, beside its name. */
const ENTRY_BYTES = 80;

export const outlineFile = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "outline_file",
    title: "Outline of a source file",
    description: "List the classes, functions and other declarations of a source file with their lines, to read only what is needed.",
    toolset: "outline",
    input: () => object({ path }),
    output: () => result({ content: z.string() }),
    hints: { readOnly: true, openWorld: false },
    async run({ path: given }, ctx) {
      const outlining = await import("../../disk/outline/outline.ts");
      const { entries, isCut, hasErrors, language } = await outlining.outlineFile(await sandboxes.of(ctx), given, ctx.signal);
      const listed = takeWithin(entries, pageBudget(maxResultBytes, undefined) - 1000, bytesOf);
      const omitted = entries.length - listed.length;
      const lines = [
        ...listed.map(lineOf),
        ...(listed.length === 0 ? [`No declarations found (${language}).`] : []),
        ...(omitted > 0 || isCut ? [`(cut: the rest begins after line ${listed.at(-1)?.line ?? 0}; read it with read_text_file)`] : []),
        ...(hasErrors ? ["(the file has syntax errors, so declarations may be missing)"] : []),
      ];
      const content = lines.join("\n");
      return {
        content,
        structured: { content, language, entries: listed.map((entry) => ({ ...entry })), truncated: omitted > 0 || isCut },
      };
    },
  });

const lineOf = ({ name, kind, line, endLine, depth }: OutlineEntry): string =>
  `${"  ".repeat(Math.min(depth, 10))}${line === endLine ? line : `${line}-${endLine}`} ${kind} ${escapeControls(name)}`;

const bytesOf = (entry: OutlineEntry): number => 3 * jsonStringBytes(escapeControls(entry.name)) + ENTRY_BYTES + 2 * lineOf(entry).length;
