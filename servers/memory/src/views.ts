// The view of the server, which hosts with MCP Apps show.
import { readFile } from "node:fs/promises";
import { view } from "@oarlock/server-kit/apps";

/** The graph around the entities of a result. */
export const graphView = view({
  uri: "ui://oarlock-memory/graph.html",
  title: "Knowledge graph",
  html: () => readFile(new URL("../dist/views/graph.html", import.meta.url), "utf8"),
});

export const VIEWS = [graphView];
