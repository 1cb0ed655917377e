// The view of the server, which hosts with MCP Apps show.
import { readFileSync } from "node:fs";
import { view } from "@oarlock/extensions/apps";

/** The graph around the entities of a result. A start does not load `node:fs/promises`, and the page is read once. */
export const graphView = view({
  uri: "ui://oarlock-memory/graph.html",
  title: "Knowledge graph",
  html: async () => readFileSync(new URL("../dist/views/graph.html", import.meta.url), "utf8"),
});

export const VIEWS = [graphView];
