// The history view: commits with their graph; selecting one shows its details and changes.
import {
  actionButton,
  callTool,
  counted,
  element,
  startView,
  structuredOf,
  textOf,
  type Page,
  type ToolResult,
} from "@oarlock/extensions/page";
import { showDetails } from "../commit/commit-details.ts";
import type { Commit } from "../commit/commit-facts.ts";
import { CommitList } from "./commit-list.ts";
import { commitsInText } from "./log-text.ts";

interface LogReply {
  readonly commits?: readonly Commit[];
  readonly nextCursor?: string;
}

/** Arguments that leave out commits, so that the parents of a commit need not follow it. */
const FILTERS = ["author", "grep", "pickaxe"];

void startView({ label: "History", render });

async function render(result: ToolResult, page: Page): Promise<void> {
  let reply: LogReply = structuredOf(result);
  if (reply.commits === undefined) reply = page.canCallTools ? await readPage(page) : { commits: commitsInText(textOf(result)) };
  const { commits = [] } = reply;
  if (commits.length === 0) return page.empty("There are no commits.");
  const details = element("div", { class: "details" });
  const { args } = page;
  const isFiltered =
    FILTERS.some((name) => args[name] !== undefined) || args["follow"] === true || (args["paths"] as unknown[] | undefined)?.length;
  const list = new CommitList({
    hasLanes: !isFiltered && commits.some(({ parents }) => parents !== undefined),
    firstParent: args["first_parent"] === true,
    select: (commit) => page.act(() => showDetails(commit, details, page)),
  });
  const foot = element("div", { class: "foot" });
  list.add(commits);
  page.show(list.element, foot, details);
  showFoot(foot, list, reply.nextCursor, page);
}

function showFoot(foot: HTMLElement, list: CommitList, cursor: string | undefined, page: Page): void {
  const count = counted(list.commits.length, "commit");
  const rest = page.canCallTools ? "" : " This host does not let the page ask for them.";
  const text = cursor === undefined ? count : `Showing ${count}; there are older ones.${rest}`;
  foot.replaceChildren(element("span", { class: "quiet" }, text));
  if (cursor === undefined || !page.canCallTools) return;
  const next = actionButton("Next", {
    page,
    act: async () => {
      const { commits = [], nextCursor } = await readPage(page, cursor);
      list.add(commits);
      showFoot(foot, list, nextCursor, page);
      page.announce(`Showing ${counted(list.commits.length, "commit")}.`);
    },
    successor: () => foot.querySelector("button") ?? list.element,
  });
  foot.prepend(next, " ");
}

async function readPage({ host, args }: Page, cursor?: string): Promise<LogReply> {
  const { max_count: _count, cursor: _cursor, ...query } = args;
  const start = cursor ?? _cursor;
  return structuredOf(await callTool(host, "view_log", { ...query, ...(start !== undefined && { cursor: start }) }));
}
