// view_folder_sizes: the entries of a folder with the sizes of files and whole folders, for the tree view.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import { flag, folder, object, result, text, texts, z } from "../../schema.ts";

export const viewFolderSizes = ({ sandboxes }: Dependencies) =>
  tool({
    name: "view_folder_sizes",
    title: "Sizes of a folder",
    description: "Get the entries of a directory with their sizes. The size of a directory is the sum of the files below it.",
    input: () =>
      object({
        path: folder,
        excludePatterns: texts("Globs to leave out, relative to the top of the tree"),
        respectGitignore: flag("Leave out what git ignores"),
        base: z._default(text("Position of the directory below the top of the tree"), ""),
      }),
    output: () =>
      result({
        path: z.string(),
        entries: z.array(z.looseObject({ name: z.string(), type: z.string(), size: z.int() })),
        omitted: z.int(),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run({ path, ...options }, ctx) {
      const { folderSizes } = await import("../../disk/tree/folder-sizes.ts");
      const sizes = await folderSizes(await sandboxes.of(ctx), path, { ...options, signal: ctx.signal });
      return {
        content: `${sizes.entries.length} entries`,
        structured: { ...sizes, entries: sizes.entries.map((entry) => ({ ...entry })) },
      };
    },
  });
