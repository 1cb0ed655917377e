// The views of the server, which hosts with MCP Apps show.
import { readFileSync } from "node:fs";
import { view } from "@oarlock/extensions/apps";

/** Rows as a grid and as a chart. */
export const resultView = view({
  uri: "ui://oarlock-sqlite/result.html",
  title: "Query result",
  html: async () => readFileSync(new URL("../dist/views/result.html", import.meta.url), "utf8"),
});

/** The schema as an ER diagram. */
export const schemaView = view({
  uri: "ui://oarlock-sqlite/schema.html",
  title: "Schema",
  html: async () => readFileSync(new URL("../dist/views/schema.html", import.meta.url), "utf8"),
});

export const VIEWS = [resultView, schemaView];
