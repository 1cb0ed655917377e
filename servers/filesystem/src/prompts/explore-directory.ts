// The prompt explore_directory: an overview of a directory, with its tree embedded.
import { escapeControls } from "@oarlock/domain-kit";
import { embed, prompt, user } from "@oarlock/server-kit";
import { completePath } from "../completion.ts";
import { uriOfPath } from "../disk/text/file-uri.ts";
import type { Dependencies } from "../dependencies.ts";
import { object, text } from "../schema.ts";

/** The prompt shows the upper levels; the tools show the rest. */
const LEVELS = 3;
const ENTRIES = 500;
/** For the message around the tree, with the path. */
const REST_BYTES = 10_000;

export const exploreDirectory = ({ sandboxes, maxResultBytes }: Dependencies) =>
  prompt({
    name: "explore_directory",
    title: "Explore a directory",
    description: "Get an overview of a directory and what it is for.",
    args: () => object({ path: text("Directory to explore") }),
    complete: { path: completePath(sandboxes, maxResultBytes) },
    async get({ path }, ctx) {
      const { folderTree, treeText } = await import("../disk/tree/directory-tree.ts");
      const tree = await folderTree(await sandboxes.of(ctx), path, {
        maxDepth: LEVELS,
        maxEntries: ENTRIES,
        maxBytes: maxResultBytes - REST_BYTES,
        signal: ctx.signal,
      });
      return [
        user(
          `Explore the directory ${escapeControls(path)}. Its tree follows${tree.truncated ? ", the upper levels only" : ""}. Say what it holds and how it is organised, read the files that explain it best, and name what deserves a closer look.`,
        ),
        user(embed({ uri: uriOfPath(tree.path), mimeType: "application/json", text: treeText(tree) })),
      ];
    },
  });
