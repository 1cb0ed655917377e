// The tree view: what directory_tree lists, with sizes. Opening a directory asks the server for its entries and their sizes.
import {
  bytes,
  choice,
  counted,
  element,
  missingWithoutTools,
  startView,
  toolbar,
  type Page,
  type ToolResult,
} from "@oarlock-tooling/views";
import { readTree, sizeSource, type TreeNode } from "./tree-data.ts";
import { FolderList, type Order, type TreeState } from "./folder-list.ts";

void startView({ label: "Directory tree", render });

async function render(result: ToolResult, page: Page): Promise<void> {
  const nodes = readTree(result);
  if (nodes.length === 0) return page.empty("This directory is empty.");
  const state: TreeState = { order: "name", loadSizes: sizeSource(page), page, lists: [] };
  const summary = element("p", { class: "quiet" });
  const top = new FolderList(state, { nodes, position: "", isComplete: result.structuredContent?.["truncated"] !== true });
  const reorder = (order: string): void => {
    state.order = order as Order; // the values of the choice below
    for (const list of state.lists) list.draw();
  };
  const sort = choice("Sort by", { name: "Name", size: "Size" }, state.order, reorder);
  page.show(toolbar("Tree", sort), top.element, summary);
  summary.textContent = summaryOf(nodes);
  await top.loadSizes();
  summary.textContent = [summaryOf(top.nodes), missingWithoutTools(page, "Sizes")].filter(Boolean).join(". ");
}

function summaryOf(nodes: readonly TreeNode[]): string {
  const count = counted(nodes.length, "entry", "entries");
  const isSized = nodes.some(({ size }) => size !== undefined);
  if (!isSized) return count;
  const isPart = nodes.some(({ isPart }) => isPart === true);
  return `${count}, ${isPart ? "at least " : ""}${bytes(nodes.reduce((sum, { size = 0 }) => sum + size, 0))}`;
}
