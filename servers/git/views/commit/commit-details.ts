// The details of a commit that was selected: its facts and its files, whose changes are loaded when they are opened.
import { element, missingWithoutTools, type Page } from "@oarlock/extensions/page";
import { fileList, totalsText } from "@oarlock/extensions/page/diff";
import { commitFacts, type Commit } from "./commit-facts.ts";
import { filesOf, patchLoader, readFiles } from "./patches.ts";

export async function showDetails(commit: Commit, details: HTMLElement, page: Page): Promise<void> {
  const facts = commitFacts(commit);
  details.replaceChildren(facts);
  page.announce(`Details of ${commit.subject.slice(0, 100)} are shown.`);
  if (!page.canCallTools) return details.append(element("p", { class: "quiet" }, missingWithoutTools(page, "Its changes")));
  const { repo_path } = page.args;
  const comparison = { ...(repo_path !== undefined && { repo_path }), kind: "commit", target: commit.hash };
  const reply = await readFiles(page, comparison);
  if (!facts.isConnected) return; // another commit was selected meanwhile
  const files = filesOf(reply);
  const { files: count = 0, additions = 0, deletions = 0 } = reply.totals ?? {};
  details.append(
    element("p", { class: "quiet" }, count === 0 ? "No changed files" : totalsText(count, additions, deletions)),
    fileList({ page, files, load: patchLoader(page, comparison, files), openLines: 0 }),
  );
}
