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
} from "@oarlock/extensions/page";
import { isTopComplete, readTree, sizeSource } from "./tree-data.ts";
import { FolderList, type Order, type TreeState } from "./folder-list.ts";

void startView({ label: "Directory tree", render });

async function render(result: ToolResult, page: Page): Promise<void> {
  const nodes = readTree(result);
  const isComplete = isTopComplete(result, nodes);
  if (nodes.length === 0 && isComplete) return page.empty("This directory is empty.");
  const state: TreeState = { order: "name", loadSizes: sizeSource(page), page, lists: [] };
  const summary = element("p", { class: "quiet" });
  const top = new FolderList(state, { nodes, position: "", isComplete });
  const reorder = (order: string): void => {
    state.order = order as Order; // the values of the choice below
    for (const list of state.lists) list.draw();
  };
  const sort = choice("Sort by", { name: "Name", size: "Size" }, state.order, reorder);
  page.show(toolbar("Tree", sort), top.element, summary);
  summary.textContent = summaryOf(top);
  await top.loadSizes();
  summary.textContent = [summaryOf(top), missingWithoutTools(page, "Sizes")].filter(Boolean).join(". ");
}

function summaryOf({ nodes, isPart }: FolderList): string {
  const count = counted(nodes.length, "entry", "entries");
  const isSized = nodes.some(({ size }) => size !== undefined);
  if (!isSized) return count;
  return `${count}, ${isPart ? "at least " : ""}${bytes(nodes.reduce((sum, { size = 0 }) => sum + size, 0))}`;
}
