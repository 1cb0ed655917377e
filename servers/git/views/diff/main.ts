// The diff view: the files of a diff or of a commit, side by side.
import { clipped, counted, element, startView, structuredOf, textOf, visible, type Page, type ToolResult } from "@oarlock/extensions/page";
import { fileList, totalsText } from "@oarlock/extensions/page/diff";
import { commitFacts, type Commit } from "../commit/commit-facts.ts";
import { filesOf, patchLoader, readFiles, type DiffReply } from "../commit/patches.ts";
import { comparisonOf } from "./comparison.ts";
import { filesInText } from "./patch-text.ts";

const MAX_TEXT_LENGTH = 200_000;

void startView({ label: "Diff", render });

async function render(result: ToolResult, page: Page): Promise<void> {
  const structured = structuredOf(result);
  if (typeof structured["type"] === "string") return showFile(result, page);
  const comparison = comparisonOf(result, page);
  let reply = structured as DiffReply; // of the four tools for diffs
  if (reply.files === undefined) reply = page.canCallTools ? await readFiles(page, comparison) : { files: filesInText(textOf(result)) };
  const commit = typeof structured["subject"] === "string" ? [commitFacts(structured as unknown as Commit)] : [];
  const files = filesOf(reply);
  if (files.length === 0 && commit.length === 0) return page.empty("There are no changes.");
  page.show(
    ...commit,
    element("p", { class: "totals" }, summaryOf(reply)),
    files.length > 0 && fileList({ page, files, load: patchLoader(page, comparison, files) }),
  );
}

function summaryOf({ files = [], totals }: DiffReply): string {
  const sum = (key: "additions" | "deletions"): number => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  const {
    files: count,
    additions,
    deletions,
  } = totals ?? { files: files.length, additions: sum("additions"), deletions: sum("deletions") };
  if (count === 0) return "No changed files";
  const text = totalsText(count, additions, deletions);
  return files.length < count ? `${text}. Showing ${counted(files.length, "file")} of ${count.toLocaleString("en")}.` : text;
}

/** A file or folder of a revision, by git_show with a path. */
function showFile(result: ToolResult, page: Page): void {
  const { path = "", hash = "" } = structuredOf(result) as { path?: string; hash?: string };
  const text = textOf(result);
  const isCut = text.length > MAX_TEXT_LENGTH;
  page.show(
    element("p", {}, element("bdi", { class: "mono" }, clipped(path, 400)), ` at ${clipped(hash, 12)}`),
    element("pre", { class: "raw" }, visible(isCut ? text.slice(0, MAX_TEXT_LENGTH) : text, "lines")),
    isCut && element("p", { class: "quiet" }, `Shown up to character ${MAX_TEXT_LENGTH.toLocaleString("en")}.`),
  );
}
