// The views of the server, which hosts with MCP Apps show.
import { readFileSync } from "node:fs";
import { view } from "@oarlock/extensions/apps";

/** The tree of a directory with sizes. */
export const treeView = view({
  uri: "ui://oarlock-filesystem/tree.html",
  title: "Directory tree",
  html: async () => readFileSync(new URL("../dist/views/tree.html", import.meta.url), "utf8"),
});

/** What an edit changes, or would change. */
export const diffView = view({
  uri: "ui://oarlock-filesystem/diff.html",
  title: "Edit of a file",
  html: async () => readFileSync(new URL("../dist/views/diff.html", import.meta.url), "utf8"),
});

export const VIEWS = [treeView, diffView];
