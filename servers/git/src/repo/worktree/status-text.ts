// A status as git tells it to people, without its advice.
import { shown } from "../text/file-names.ts";
import { underWay } from "./operation.ts";
import type { Change, Status } from "./status.ts";

const SAID: Readonly<Record<string, string>> = { added: "new file" };

export function statusText(status: Status): string {
  const lines: string[] = [];
  if (status.branch !== undefined) lines.push(`On branch ${status.branch}`);
  else lines.push(`HEAD detached at ${status.head?.slice(0, 7) ?? "nothing"}`);
  const tracking = trackingOf(status);
  if (tracking !== undefined) lines.push(tracking, "");
  if (status.operation !== undefined) lines.push(...blank(lines), `${underWay(status.operation)}.`, "");
  if (status.head === undefined) lines.push("", "No commits yet", "");
  section(lines, "Changes to be committed:", status.staged.map(line));
  section(
    lines,
    "Unmerged paths:",
    status.conflicts.map(({ path, status: how }) => `\t${`${how}:`.padEnd(17)}${shown(path)}`),
  );
  section(lines, "Changes not staged for commit:", status.unstaged.map(line));
  section(
    lines,
    "Untracked files:",
    status.untracked.map((path) => `\t${shown(path)}`),
  );
  const { staged, unstaged, conflicts, untracked, omitted } = status;
  if (omitted > 0) lines.push(`[truncated: ${omitted} more entries; a higher limit lists them]`);
  else if (staged.length + unstaged.length + conflicts.length + untracked.length === 0) lines.push("nothing to commit, working tree clean");
  if (status.stashCount > 0)
    lines.push(...blank(lines), `Your stash currently has ${status.stashCount} ${status.stashCount === 1 ? "entry" : "entries"}`);
  return lines.join("\n").trimEnd();
}

const blank = (lines: readonly string[]): string[] => (lines.at(-1) === "" ? [] : [""]);

function trackingOf({ upstream, ahead, behind }: Status): string | undefined {
  if (upstream === undefined) return undefined;
  if (ahead === undefined || behind === undefined) return `Your branch is based on '${upstream}', but the upstream is gone.`;
  const commits = (count: number): string => `${count} ${count === 1 ? "commit" : "commits"}`;
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${upstream}'.`;
  if (behind === 0) return `Your branch is ahead of '${upstream}' by ${commits(ahead)}.`;
  if (ahead === 0) return `Your branch is behind '${upstream}' by ${commits(behind)}, and can be fast-forwarded.`;
  return `Your branch and '${upstream}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.`;
}

const line = ({ path, status, oldPath }: Change): string =>
  `\t${`${SAID[status] ?? status}:`.padEnd(12)}${oldPath === undefined ? "" : `${shown(oldPath)} -> `}${shown(path)}`;

function section(lines: string[], title: string, entries: readonly string[]): void {
  if (entries.length > 0) lines.push(title, ...entries, "");
}
