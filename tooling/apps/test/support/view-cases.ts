// ViewCase: a call for each view on the data of the demo, and what a user does with the view.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { ServerDemo } from "../../src/demo/server-demo.ts";
import type { ShownView } from "../../src/harness/open-view.ts";

export interface ViewCase {
  readonly server: ServerDemo["server"];
  readonly view: string;
  readonly tool: string;
  /** `folder`: where the demo has its data. `id`: unique for each use of the case. */
  args(folder: string, id: string): Record<string, unknown>;
  /** Text that the view has to show. */
  readonly shows: string;
  /** Uses the view, and waits for what it then shows. */
  use(view: ShownView, folder: string, id: string): Promise<void>;
  /** Tools that the server is called with by the view, in the order of their first call. */
  readonly calls: readonly string[];
  /** What the view says in a host where it cannot call tools. */
  readonly leftOut: string;
}

const firstRow = async (view: ShownView): Promise<string> =>
  String(await view.frame.evaluate(`document.querySelector("tr[aria-rowindex='2']").textContent`));

export const VIEW_CASES: readonly ViewCase[] = [
  {
    server: "sqlite",
    view: "result",
    tool: "read_query",
    args: () => ({ query: "select name, built from boats order by id", limit: 20 }),
    shows: "Rows 1–20; more follow.",
    async use(view) {
      await view.click("name");
      await expect.poll(() => firstRow(view)).toContain("Dunlin 1");
      await view.click("Next");
      await view.waitForText("Rows 21–40; more follow.");
    },
    calls: ["view_rows"],
    leftOut: "more follow. This host does not let the page ask for them.",
  },
  {
    server: "sqlite",
    view: "schema",
    tool: "list_tables",
    args: () => ({}),
    shows: "berths",
    async use(view) {
      await view.click("boats");
      await view.waitForText("owner → owners");
    },
    calls: ["view_schema"],
    leftOut: "Types and keys are missing: this host",
  },
  {
    server: "memory",
    view: "graph",
    tool: "search_nodes",
    args: () => ({ query: "tide gauge" }),
    shows: "Pier head",
    async use(view) {
      await view.click("Expand Kittiwake");
      await view.waitForText("Quay & Sons");
      await view.click("Kittiwake");
      await view.waitForText("planked in oak");
      await view.click("Timeline of Kittiwake");
      await view.waitForText("launch in May");
    },
    calls: ["view_neighbours", "open_nodes", "view_timeline"],
    leftOut: "Further relations and the timelines of entities are missing: this host",
  },
  {
    server: "git",
    view: "history",
    tool: "git_log",
    args: (folder) => ({ repo_path: folder, max_count: 2 }),
    shows: "Merge the moorings",
    async use(view) {
      await view.click("Next");
      await view.waitForText("Begin the list of boats");
      await view.click("Name the builder of Kittiwake");
      await view.waitForText("1 file, +2 −1");
    },
    calls: ["view_log", "view_diff"],
    leftOut: "there are older ones. This host does not let the page ask for them.",
  },
  {
    server: "git",
    view: "diff",
    tool: "git_diff",
    args: (folder) => ({ repo_path: folder, target: "HEAD", base: "HEAD~3", format: "stat" }),
    shows: "Gannet",
    async use(view) {
      expect(await view.text()).not.toContain("Buoy, chain, sinker.");
      await view.click("Expand all");
      await view.waitForText("Buoy, chain, sinker.");
    },
    calls: ["view_diff"],
    leftOut: "The changes of this file are not shown.",
  },
  {
    server: "git",
    view: "blame",
    tool: "git_blame",
    args: (folder) => ({ repo_path: folder, path: "boats.md", revision: "HEAD" }),
    shows: "built by Quay & Sons",
    async use(view) {
      await view.click("Begin the list of boats");
      await view.waitForText("1 file, +4 −0");
    },
    calls: ["view_diff"],
    leftOut: "Its changes are missing: this host does not let the page ask for them.",
  },
  {
    server: "filesystem",
    view: "tree",
    tool: "directory_tree",
    args: (folder) => ({ path: folder, excludePatterns: ["edit-*"] }),
    shows: "18.5 KB",
    async use(view) {
      await view.frame.select("select", "size");
      await view.click("Expand docs");
      await view.waitForText("moorings.md");
    },
    calls: ["view_folder_sizes"],
    leftOut: "5 entries. Sizes are missing: this host",
  },
  {
    server: "filesystem",
    view: "diff",
    tool: "edit_file",
    args(folder, id) {
      const path = join(folder, `edit-${id}.txt`);
      writeFileSync(path, "Berths, boats and tides.\n");
      return { path, edits: [{ oldText: "boats", newText: "boats, moorings" }], dryRun: true };
    },
    shows: "The file is unchanged.",
    async use(view, folder, id) {
      await view.click("Apply");
      await view.waitForText("Applied: 1 replacement.");
      expect(await readFile(join(folder, `edit-${id}.txt`), "utf8")).toBe("Berths, boats, moorings and tides.\n");
    },
    calls: ["edit_file"],
    leftOut: "The file is unchanged. This host does not let the page apply it.",
  },
];
