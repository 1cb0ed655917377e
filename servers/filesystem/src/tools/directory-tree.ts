// directory_tree: a bounded tree as JSON.
import { text, tool } from "@oarlock/server-kit";
import { folderTree, treeNotice, treeText, TREE_ENTRIES } from "../disk/tree.ts";
import type { Parts } from "../parts.ts";
import { count, folder, object, texts, z } from "../schema.ts";

export const directoryTree = ({ folders, maxResultBytes }: Parts) =>
  tool({
    name: "directory_tree",
    title: "Directory tree",
    description: `Get the tree below a directory as JSON: name, type, and children on directories. At most ${TREE_ENTRIES} entries unless told otherwise; what is left out is counted.`,
    input: () =>
      object({
        path: folder,
        excludePatterns: texts("Globs of what to leave out, relative to path"),
        maxDepth: count("Levels to show; 1 is the directory's own entries"),
        maxEntries: count(`The most entries in the tree, ${TREE_ENTRIES} unless given`),
      }),
    output: () =>
      object({
        content: z.string(),
        entries: z.int(),
        truncated: z.boolean(),
        omitted: z.object({ entries: z.int(), directories: z.int() }),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ path, ...options }, ctx) {
      const tree = await folderTree(await folders.of(ctx), path, {
        ...options,
        maxBytes: maxResultBytes - 4096,
        signal: ctx.signal,
        progress: (seen) => ctx.progress(seen, undefined, `${seen} entries`),
      });
      const { walked, entries, truncated, omitted } = tree;
      if (walked.unreadable > 0)
        ctx.log.warning({ message: "directories could not be read", count: walked.unreadable, first: walked.unreadablePaths });
      const content = treeText(tree);
      const notice = treeNotice(tree);
      return {
        content: notice === undefined ? content : [text(content), text(notice)],
        structured: { content, entries, truncated, omitted },
      };
    },
  });
