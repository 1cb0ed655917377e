// What replies say beside names of files: messages, people, dates, and the objects of refs.
import { splitRecords } from "../../src/repo/process/nul-records.ts";
import { dateOf } from "../../src/repo/refs/ref-list.ts";
import { decodeText, nameToText } from "../../src/repo/text/file-names.ts";
import { always, list, ofFile, records, refLines, type Comparison, type Entry } from "./comparison.ts";

/** Long subjects and lists of refs are shortened. */
const SHOWN_LENGTH = 200;
const words = (text: unknown): string => String(text).trim().replaceAll(/\s+/g, " ").slice(0, SHOWN_LENGTH);

/** Lines of refs whose first field is the name, without those that the tool names as broken. */
const refFields = (output: Buffer, broken: unknown, prefix = ""): string[][] =>
  output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => splitRecords(Buffer.from(line, "latin1")).map((field, at) => (at === 0 ? nameToText : decodeText)(field)))
    .filter(([name = ""]) => !(Array.isArray(broken) && broken.includes(prefix + name)));

const sorted = (rows: readonly (readonly unknown[])[]): string[] => rows.map((row) => row.map(words).join(" ")).sort();

/** A value for each line of a blame. */
const perLine = (hunks: unknown, valueOf: (hunk: Entry) => unknown): unknown[] =>
  list(hunks).flatMap((hunk) => Array.from({ length: Number(hunk["endLine"]) - Number(hunk["startLine"]) + 1 }, () => valueOf(hunk)));

const statusLetters: Readonly<Record<string, string>> = {
  added: "A",
  modified: "M",
  deleted: "D",
  renamed: "R",
  copied: "C",
  typechange: "T",
};

export const FACT_COMPARISONS: readonly Comparison[] = [
  {
    title: "messages of the log",
    tool: "git_log",
    args: always({ max_count: 1000 }),
    git: () => ["log", "-s", "-z", "--format=%H%x00%s%x00%b%x00%N%x00%D", "HEAD"],
    ofGit: (output) => records(output).map((text) => words(text).replace(/^grafted$/, "")),
    ofTool: (data) =>
      list(data["commits"]).flatMap(({ hash, subject, body, notes = "", refs }) =>
        [hash, subject, body, notes, (refs as string[]).join(", ")].map(words),
      ),
  },
  {
    title: "commits of branches",
    tool: "git_branch",
    args: always({ branch_type: "all", limit: 5000 }),
    git: () => [
      "for-each-ref",
      "--format=%(refname)%00%(objectname)%00%(upstream:short)%00%(HEAD)%00%(committerdate:raw)%00%(contents:subject)",
      "refs/heads",
      "refs/remotes",
    ],
    ofGit: (output, data) =>
      sorted(
        refFields(output, data["broken"]).map(([name, id, upstream, head, date = "", subject = ""]) => [
          name,
          id,
          upstream,
          head,
          dateOf(date),
          subject,
        ]),
      ),
    ofTool: (data) =>
      sorted(
        list(data["branches"]).map(({ name, head, upstream = "", current, remote, lastCommit }) => {
          const { date, subject } = lastCommit as Entry;
          const ref = `refs/${remote === true ? "remotes" : "heads"}/${String(name)}`;
          return [ref, head, upstream, current === true ? "*" : " ", date, subject];
        }),
      ),
  },
  {
    title: "dates of tags",
    tool: "git_tag",
    args: always({ action: "list", limit: 5000 }),
    git: () => ["for-each-ref", "--format=%(refname:strip=2)%00%(objecttype)%00%(creatordate:raw)%00%(contents:subject)", "refs/tags"],
    ofGit: (output, data) =>
      sorted(
        refFields(output, data["broken"], "refs/tags/").map(([name, type, date = "", subject = ""]) => [
          name,
          type === "tag",
          dateOf(date),
          subject,
        ]),
      ),
    ofTool: (data) => sorted(list(data["tags"]).map(({ name, annotated, date, subject }) => [name, annotated, date, subject])),
  },
  {
    title: "objects of tags",
    tool: "git_tag",
    args: always({ action: "list", limit: 5000 }),
    git: () => ["show-ref", "--tags", "--dereference"],
    ofGit(output, { broken }) {
      const ids = new Map(refLines(output).map((line) => [line.slice(line.indexOf(" ") + 1).replace(/\^\{\}$/, ""), line.split(" ")[0]]));
      return sorted([...ids].filter(([ref]) => !(Array.isArray(broken) && broken.includes(ref))));
    },
    ofTool: (data) => sorted(list(data["tags"]).map(({ name, commit }) => [`refs/tags/${String(name)}`, commit])),
  },
  {
    title: "branch and upstream of the status",
    tool: "git_status",
    args: always({}),
    git: () => ["status", "--porcelain=v2", "--branch", "--show-stash", "--ignore-submodules=all", "--untracked-files=no"],
    ofGit: (output) => refLines(output).filter((line) => /^# (?!branch\.oid|branch\.head (?:\(null\)|\(detached\)))/.test(line)),
    ofTool: ({ branch, upstream, ahead, behind, stashCount }) => [
      ...(branch === undefined || String(branch).startsWith("refs/") ? [] : [`# branch.head ${String(branch)}`]),
      ...(upstream === undefined ? [] : [`# branch.upstream ${String(upstream)}`]),
      ...(ahead === undefined ? [] : [`# branch.ab +${String(ahead)} -${String(behind)}`]),
      ...(stashCount === 0 ? [] : [`# stash ${String(stashCount)}`]),
    ],
  },
  {
    title: "kinds of staged changes",
    tool: "git_status",
    args: always({}),
    git: () => ["diff", "--cached", "--name-status", "-z", "--find-renames", "--ignore-submodules=dirty", "--diff-filter=u"],
    ofGit(output) {
      const fields = splitRecords(output).map(nameToText);
      const found: string[][] = [];
      while (fields.length > 0) {
        const [letter = ""] = fields.shift() ?? "";
        found.push([letter, ...(/[RC]/.test(letter) ? [fields.shift() ?? ""] : []), fields.shift() ?? ""]);
      }
      return sorted(found);
    },
    ofTool: (data) =>
      sorted(
        list(data["staged"]).map(({ path, oldPath, status }) => [
          statusLetters[String(status)],
          ...(oldPath === undefined ? [] : [oldPath]),
          path,
        ]),
      ),
  },
  {
    title: "people of a blame",
    tool: "git_blame",
    args: ofFile({ path: "", revision: "HEAD" }),
    git: ({ bytes = "" }) => ["blame", "--line-porcelain", "HEAD", "--", bytes],
    ofGit: (output) => {
      const of = (name: string): string[] =>
        [...decodeText(output).matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, text]) => words(text));
      return [of("author"), of("author-time"), of("summary")];
    },
    ofTool: ({ hunks }) => [
      perLine(hunks, ({ author }) => words(author)),
      perLine(hunks, ({ date }) => String(Date.parse(String(date)) / 1000)),
      perLine(hunks, ({ summary }) => words(summary)),
    ],
  },
  {
    title: "states of work trees",
    tool: "git_worktree",
    args: always({ action: "list" }),
    git: () => ["worktree", "list", "--porcelain", "-z"],
    ofGit: (output) =>
      splitRecords(output)
        .map(nameToText)
        .filter((text) => /^(?:branch|detached|bare|locked)/.test(text)),
    ofTool: (data) =>
      list(data["worktrees"]).flatMap(({ bare, branch, detached, locked }) => [
        ...(bare === true ? ["bare"] : []),
        ...(branch === undefined ? [] : [`branch ${String(branch).replace(/^(?!refs\/)/, "refs/heads/")}`]),
        ...(detached === true ? ["detached"] : []),
        ...(locked === undefined ? [] : [`locked ${String(locked)}`.trim()]),
      ]),
  },
];
