// A status as text, as `git status` prints it, without its advice.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { inProgress, wayToEnd } from "./operation.ts";
import type { Change, Status } from "./status-parser.ts";

export function statusText(status: Status): string {
  const { branch, head, operation, staged, unstaged, conflicts, untracked, omitted, stashCount, uninspected } = status;
  const lines = [branch === undefined ? `HEAD detached at ${head?.slice(0, 7) ?? "nothing"}` : `On branch ${escapeControls(branch)}`];
  const tracking = trackingText(status);
  if (tracking !== undefined) lines.push(tracking, "");
  if (operation !== undefined) lines.push(...separator(lines), `${inProgress(operation)}: ${wayToEnd(operation)}.`, "");
  if (head === undefined) lines.push("", "No commits yet", "");
  const conflictLines = conflicts.map(({ path, status: sides }) => `\t${`${sides}:`.padEnd(17)}${escapeControls(path)}`);
  addSection(lines, "Changes to be committed:", staged.map(changeLine));
  addSection(lines, "Unmerged paths:", conflictLines);
  addSection(lines, "Changes not staged for commit:", unstaged.map(changeLine));
  addSection(
    lines,
    "Untracked files:",
    untracked.map((path) => `\t${escapeControls(path)}`),
  );
  if (omitted > 0) lines.push(`[truncated: ${omitted} more entries; a higher limit lists them]`);
  else if (staged.length + unstaged.length + conflicts.length + untracked.length === 0) lines.push("nothing to commit, working tree clean");
  if (uninspected.length > 0)
    lines.push(
      `[not looked into: ${uninspected.map((path) => `submodule ${escapeControls(path)}`).join(", ")}; git_status with its path as repo_path gives the reason]`,
    );
  if (stashCount > 0) lines.push(...separator(lines), `Your stash currently has ${counted(stashCount, "entry", "entries")}`);
  return lines.join("\n").trimEnd();
}

const separator = (lines: readonly string[]): string[] => (lines.at(-1) === "" ? [] : [""]);

function trackingText({ upstream: name, ahead, behind }: Status): string | undefined {
  if (name === undefined) return undefined;
  const upstream = escapeControls(name);
  if (ahead === undefined || behind === undefined) return `Your branch is based on '${upstream}', but the upstream is gone.`;
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${upstream}'.`;
  if (behind === 0) return `Your branch is ahead of '${upstream}' by ${counted(ahead, "commit")}.`;
  if (ahead === 0) return `Your branch is behind '${upstream}' by ${counted(behind, "commit")}, and can be fast-forwarded.`;
  return `Your branch and '${upstream}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.`;
}

function changeLine({ path, status, oldPath, submodule }: Change): string {
  const word = status === "added" ? "new file" : status;
  return `\t${`${word}:`.padEnd(12)}${oldPath === undefined ? "" : `${escapeControls(oldPath)} -> `}${escapeControls(path)}${submodule === undefined ? "" : ` (${submodule.join(", ")})`}`;
}

function addSection(lines: string[], title: string, entries: readonly string[]): void {
  if (entries.length > 0) lines.push(title, ...entries, "");
}
