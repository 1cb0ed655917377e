// The graph view: what the reading tools reply, as a picture and a list. Expanding an entity asks the server for its neighbours.
import {
  actionButton,
  callTool,
  element,
  missingWithoutTools,
  startView,
  visible,
  type Page,
  type ToolResult,
} from "@oarlock/extensions/page";
import { Explorer } from "./explorer.ts";
import { MAX_NODES } from "./graph.ts";
import { readReply, type GraphReply } from "./reply.ts";

let explorer: Explorer | undefined;

void startView({ label: "Knowledge graph", render, onAppearance: () => explorer?.redraw() });

function render(result: ToolResult, page: Page): void {
  const reply = readReply(result);
  if (reply.entities.length === 0 && reply.relations.length === 0) return page.empty(emptyText(reply, page));
  const shown = (explorer = new Explorer(page));
  const notes = element("div", { class: "notes" });
  const controls = shown.controls;
  const { nextCursor, tool } = { ...reply, tool: toolOf(page) };
  if (nextCursor !== undefined && tool !== undefined) controls.append(nextButton({ page, explorer: shown, notes, tool }, nextCursor));
  page.show(controls, shown.summary, shown.element, shown.kinds.legend, notes);
  showReply(reply, { page, explorer: shown, notes });
  shown.selectFirst(reply.entities.map(({ name }) => name));
}

interface Parts {
  readonly page: Page;
  readonly explorer: Explorer;
  readonly notes: HTMLElement;
}

function showReply(reply: GraphReply, { page, explorer, notes }: Parts): void {
  explorer.add(reply);
  const missing = missingWithoutTools(page, "Further relations and the timelines of entities");
  const all = missing === "" ? reply.notes : [...reply.notes, missing];
  notes.replaceChildren(...all.map((note) => element("p", { class: "message" }, visible(note))));
  if (reply.isPart || page.args["detail"] === "names") page.act(() => explorer.completeRelations());
}

/** Adds the next page of the reply. */
function nextButton(parts: Parts & { readonly tool: string }, cursor: string): HTMLElement {
  const { page, explorer, tool } = parts;
  let successor: HTMLElement | undefined;
  const next = actionButton("Next", {
    page,
    act: async () => {
      const size = tool === "read_graph" ? { limit: MAX_NODES } : {};
      const reply = readReply(await callTool(page.host, tool, { ...page.args, ...size, cursor }));
      showReply(reply, parts);
      const isLast = reply.nextCursor === undefined || explorer.isFull;
      successor = isLast ? explorer.summary : nextButton(parts, reply.nextCursor);
      next.replaceWith(...(isLast ? [] : [successor]));
    },
    successor: () => successor,
  });
  return next;
}

/** The tool whose reply has pages; undefined where the host calls no tools. */
function toolOf({ args, canCallTools }: Page): string | undefined {
  if (!canCallTools) return undefined;
  return typeof args["query"] === "string" ? "search_nodes" : "read_graph";
}

function emptyText({ path, notes }: GraphReply, { args }: Page): string {
  if (path !== undefined) return "No path was found between these entities within the depth of the search.";
  if (notes.length > 0) return notes.join(" ");
  if (typeof args["query"] === "string") return `No entity matches ${JSON.stringify(args["query"])}.`;
  return "The memory has no entities.";
}
