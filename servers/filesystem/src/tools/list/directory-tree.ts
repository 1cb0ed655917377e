// directory_tree: shows a bounded tree as JSON.
import { ui } from "@oarlock/extensions/apps";
import { text, tool } from "@oarlock/server-kit";
import { TREE_ENTRIES } from "../../disk/text/reply-size.ts";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { count, flag, folder, object, result, texts, z } from "../../schema.ts";
import { treeView } from "../../views.ts";
import { warnOfUnreadable } from "../../replies/unreadable-directories.ts";

export const directoryTree = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "directory_tree",
    title: "Directory tree",
    description: `Get the tree below a directory as JSON: name, type, children.`,
    input: () =>
      object({
        path: folder,
        excludePatterns: texts("Globs to leave out"),
        maxDepth: count("Levels to show"),
        maxEntries: count(`Most entries, default ${TREE_ENTRIES}`),
        respectGitignore: flag("Leave out ignored files"),
      }),
    output: () =>
      result({
        content: z.string(),
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: treeView })],
    async run({ path, ...options }, ctx) {
      const [{ folderTree, treeNotice, treeText }, sandbox] = await Promise.all([
        import("../../disk/tree/directory-tree.ts"),
        sandboxes.of(ctx),
      ]);
      const tree = await folderTree(sandbox, path, {
        ...options,
        maxBytes: pageBudget(maxResultBytes, options.maxEntries, 2),
        signal: ctx.signal,
        progress: (seen) => ctx.progress(seen, undefined, `${seen} entries`),
      });
      warnOfUnreadable(tree.walked, ctx);
      const content = treeText(tree);
      const notice = treeNotice(tree);
      const { entries, truncated, omitted } = tree;
      return {
        content: notice === undefined ? content : [text(content), text(notice)],
        structured: { content, entries, truncated, omitted },
      };
    },
  });
