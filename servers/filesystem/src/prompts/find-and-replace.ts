// The prompt find_and_replace: replaces a phrase in three steps, search, preview and change.
import { escapeControls } from "@oarlock/domain-kit";
import { prompt } from "@oarlock/server-kit";
import { completePath } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { object, text } from "../schema.ts";

export const findAndReplace = ({ sandboxes, maxResultBytes }: Dependencies) =>
  prompt({
    name: "find_and_replace",
    title: "Find and replace",
    description: "Replace a phrase in the files of a directory, with a preview first.",
    args: () =>
      object({
        path: text("Directory or file to work in"),
        find: text("Exact text to find"),
        replace: text("Text to put in its place"),
      }),
    complete: { path: completePath(sandboxes, maxResultBytes) },
    async get({ path, find, replace }, ctx) {
      // Throws the same error as the tools when the path is outside.
      (await sandboxes.of(ctx)).look(path);
      return [
        `Replace ${JSON.stringify(find)} with ${JSON.stringify(replace)} in ${escapeControls(path)}.`,
        "1. Find the files that hold the text (search_file_contents with literal: true; with multiline: true where it has a line break).",
        "2. For each, call edit_file with dryRun: true and show me the diff.",
        "3. Only when I agree, call edit_file again without dryRun. Leave everything else as it is.",
      ].join("\n");
    },
  });
