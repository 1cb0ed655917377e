// The views of the server, which hosts with MCP Apps show.
import { readFileSync } from "node:fs";
import { view } from "@oarlock/extensions/apps";

/** The files of a diff, side by side. */
export const diffView = view({
  uri: "ui://oarlock-git/diff.html",
  title: "Diff",
  html: async () => readFileSync(new URL("../dist/views/diff.html", import.meta.url), "utf8"),
});

/** The commits of the history, with their graph. */
export const historyView = view({
  uri: "ui://oarlock-git/history.html",
  title: "History",
  html: async () => readFileSync(new URL("../dist/views/history.html", import.meta.url), "utf8"),
});

/** The lines of a file with the commits that changed them last. */
export const blameView = view({
  uri: "ui://oarlock-git/blame.html",
  title: "Blame",
  html: async () => readFileSync(new URL("../dist/views/blame.html", import.meta.url), "utf8"),
});

export const VIEWS = [diffView, historyView, blameView];
