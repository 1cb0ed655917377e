// What becomes of each line that git prints on stderr in a command that succeeds: some classes get a notice in the words of this server, lines
// that say nothing new are dropped, each for a reason, and every other line is passed on as git says it.
import { escapeControls } from "@oarlock/domain-kit";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import { firstNames } from "../text/first-names.ts";
import { addNotice } from "./notices.ts";
import { readableMessage } from "./readable-message.ts";

const MAX_NAMED = 5;
const MAX_LINES = 20;

const DROPPED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^hint: |^hint:$/, "advice for people at a terminal, which names commands in place of tools"],
  [/^(?:remote: )?[A-Z][A-Za-z ]+: +\d+/, "progress, which goes out as notifications"],
  [/^(?:remote: )?(?:Enumerating|Total \d|Unpacking|Preparing worktree|Cloning into|Initialized|Delta compression)/, "progress"],
  [/^(?:Switched to |Already on |Reset branch |HEAD is now at |Previous HEAD position was )/, "the reply names branch and commit"],
  [/^(?:From |To |Fetching | [ *+\-t!=] |Everything up-to-date|branch '.*' set up to track )/, "the reply lists the updated refs"],
  [/^(?:Rebasing \(|Successfully rebased |Auto-merging |Current branch .* is up to date)/, "the reply tells the outcome"],
  [/^(?:Removing |Dropped refs\/stash)/, "the reply counts or names what was removed"],
  [/^warning: refname '.*' is ambiguous/, "revisions are object ids by then"],
  [/^warning: (?:exhaustive rename|inexact rename|only found copies|you may want to set your )/, "concerns only how a rename is shown"],
];

/** Lines that get one notice for all that they name. */
interface MessageClass {
  /** Its first group is a name. */
  readonly pattern: RegExp;
  notice(names: string, groups: readonly string[]): string;
}

const SUMMARIZED: readonly MessageClass[] = [
  {
    pattern: /^warning: in the working copy of '(.+)', (LF|CRLF) will be replaced by (LF|CRLF) the next time Git touches it$/gm,
    notice: (names, [, from, to]) =>
      `[line ends: git turns ${from} into ${to} when it next writes ${names} (attribute text or eol, core.autocrlf)]`,
  },
  {
    pattern: /^warning: adding embedded git repository: (.+)$/gm,
    notice: (names) =>
      `[staged as a link to a commit, without its files, as it is a repository of its own: ${names}. git_reset with files unstages it, a line in .gitignore keeps it out]`,
  },
  {
    pattern:
      /^Warning: you are leaving (\d+) commits? behind, not connected to\nany of your branches:\n\n {2}([0-9a-f]+) (.*)\n(?: .*\n)*(?:\nIf you want to keep [^]*?\n\n.*git branch .*$)?/gm,
    notice: (_names, [count, id, subject]) =>
      `[left behind: ${count === "1" ? "a commit" : `${count} commits`} that no branch or tag has, the last one ${id} ${subject}. git_create_branch with base_branch ${id} keeps ${count === "1" ? "it" : "them"}]`,
  },
];

/** Before git 2.38 the warning about line ends had other words. */
const OLD_LINE_ENDS =
  /^warning: (LF|CRLF) will be replaced by (LF|CRLF) in (.+)\.\nThe file will have its original line endings in your working directory\.?$/gm;

/** Adds the notices for what a successful command printed on stderr. */
export function reportMessages(paths: RepositoryPaths, stderr: string): void {
  if (stderr === "") return;
  let rest = stderr
    .replaceAll("\r", "\n")
    .replaceAll(OLD_LINE_ENDS, "warning: in the working copy of '$3', $1 will be replaced by $2 the next time Git touches it");
  for (const kind of SUMMARIZED) {
    const found = [...rest.matchAll(kind.pattern)];
    if (found.length === 0) continue;
    rest = rest.replaceAll(kind.pattern, "");
    for (const [, alike = []] of Map.groupBy(found, ([, , second]) => second)) addNotice(kind.notice(namesOf(alike), groupsOf(alike[0])));
  }
  const lines = rest.split("\n").filter((line) => line.trim() !== "" && !DROPPED.some(([pattern]) => pattern.test(line)));
  const more = lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more lines`] : [];
  const message = readableMessage(paths, [...lines.slice(0, MAX_LINES), ...more].join("\n"));
  if (message !== "") addNotice(`[git says: ${message}]`);
}

/** The first names, each once. */
function namesOf(matches: readonly RegExpExecArray[]): string {
  const names = [...new Set(matches.map(([, name = ""]) => escapeControls(name)))];
  return firstNames(names, MAX_NAMED);
}

const groupsOf = ([, ...groups]: readonly string[] = []): string[] => groups.map((text) => escapeControls(text ?? ""));
