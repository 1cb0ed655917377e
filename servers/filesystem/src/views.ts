// The views of the server, which hosts with MCP Apps show.
import { readFileSync } from "node:fs";
import { view } from "@oarlock/server-kit/apps";

/** The tree of a directory with sizes. */
export const treeView = view({
  uri: "ui://oarlock-filesystem/tree.html",
  title: "Directory tree",
  html: async () => readFileSync(new URL("../dist/views/tree.html", import.meta.url), "utf8"),
});

export const VIEWS = [treeView];
