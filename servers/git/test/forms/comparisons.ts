// Each reading tool beside the commands of git that show the same: what both say of one repository, in one shape.
import type { Json } from "@oarlock/server-kit/protocol";
import { decodeText, nameToText } from "../../src/repo/text/file-names.ts";
import { splitRecords } from "../../src/repo/process/nul-records.ts";

import { always, linesOf, list, names, ofFile, records, withoutBroken, type Comparison, type Facts } from "./comparison.ts";
import { FACT_COMPARISONS } from "./fact-comparisons.ts";
import { diffs, numbersOfGit, numbersOfTool, NUMSTAT } from "./diff-comparisons.ts";

const LOG = "--format=%H%x00%P%x00%an%x00%ae%x00%aI";
const logs = (title: string, args: (facts: Facts) => Json | undefined, git: (facts: Facts) => (string | Buffer)[]): Comparison => ({
  title,
  tool: "git_log",
  args,
  git: (facts) => ["log", "-s", "-z", LOG, "--ignore-submodules=dirty", ...git(facts)],
  ofGit: (output) => records(output),
  ofTool: (data) =>
    list(data["commits"]).flatMap(({ hash, parents, author, email, date }) => [hash, (parents as string[]).join(" "), author, email, date]),
});

const path = ({ bytes }: Facts): (string | Buffer)[] => ["--", bytes ?? ""];

export const COMPARISONS: readonly Comparison[] = [
  {
    title: "status",
    tool: "git_status",
    args: always({}),
    git: ({ hasBrokenModules }) => [
      "status",
      "--porcelain=v2",
      "-z",
      "--branch",
      "--untracked-files=normal",
      ...(hasBrokenModules ? ["--ignore-submodules=dirty"] : []),
    ],
    ofGit(output) {
      const found: string[] = [];
      const all = splitRecords(output);
      for (let at = 0; at < all.length; at++) {
        const record = all[at] ?? Buffer.alloc(0);
        const text = record.toString("latin1");
        const [, kind = "", states = ""] = /^([12u?#]) (\S\S)?/.exec(text) ?? [];
        const skip = { "1": 8, "2": 9, u: 10, "?": 1 }[kind];
        const [, oid] = /^# branch\.oid ([0-9a-f]+)$/.exec(text) ?? [];
        if (oid !== undefined) found.push(`head ${oid}`);
        if (skip === undefined) continue;
        let from = 0;
        for (let blank = 0; blank < skip; blank++) from = record.indexOf(32, from) + 1;
        const name = nameToText(record.subarray(from));
        if (kind === "?") found.push(`? ${name}`);
        else if (kind === "u") found.push(`u ${name}`);
        else found.push(...(states[0] === "." ? [] : [`staged ${name}`]), ...(states[1] === "." ? [] : [`unstaged ${name}`]));
        if (kind === "2") at++;
      }
      return found.sort();
    },
    ofTool: (data) =>
      [
        ...(data["head"] === undefined ? [] : [`head ${String(data["head"])}`]),
        ...list(data["staged"]).map((one) => `staged ${String(one["path"])}`),
        ...list(data["unstaged"]).map((one) => `unstaged ${String(one["path"])}`),
        ...list(data["conflicts"]).map((one) => `u ${String(one["path"])}`),
        ...(data["untracked"] as string[]).map((name) => `? ${name}`),
      ].sort(),
  },
  ...diffs("unstaged", "git_diff_unstaged", {}, ["diff"]),
  ...diffs("staged", "git_diff_staged", {}, ["diff", "--cached"]),
  ...diffs("against HEAD", "git_diff", { target: "HEAD" }, ["diff", "HEAD"]),
  ...diffs("between commits", "git_diff", { target: "HEAD~1..HEAD" }, ["diff", "HEAD~1", "HEAD"], ({ hasParent }) => hasParent),
  ...diffs("show", "git_show", { revision: "HEAD" }, ["show", "--format=", "--diff-merges=first-parent", "HEAD"]),
  {
    title: "numbers of a commit",
    tool: "git_show",
    args: always({ revision: "HEAD", format: "stat" }),
    git: () => ["show", "--format=", "--diff-merges=first-parent", ...NUMSTAT, "HEAD"],
    ofGit: (output) => numbersOfGit(output).map((line) => line.replace(/ \+.*/, "")).length,
    ofTool: (data) =>
      list(data["files"]).reduce((sum, { oldPath, status }) => sum + (oldPath === undefined || status === "copied" ? 1 : 2), 0) &&
      numbersOfTool(data).length + list(data["files"]).filter(({ status }) => status === "renamed").length,
  },
  {
    title: "a file",
    tool: "git_show",
    args: (facts) => (facts.file === undefined ? undefined : { revision: "HEAD", path: facts.file, max_bytes: 300_000 }),
    git: ({ bytes = Buffer.alloc(0) }) => ["cat-file", "blob", Buffer.concat([Buffer.from("HEAD:"), bytes])],
    ofGit: (output) => decodeText(output),
    ofTool: (_data, text) => text,
  },
  {
    title: "a folder",
    tool: "git_show",
    args: always({ revision: "HEAD", path: "." }),
    git: () => ["ls-tree", "-z", "HEAD"],
    ofGit: (output) =>
      splitRecords(output).map((record) =>
        [...record.toString("latin1", 0, record.indexOf(9)).split(" "), nameToText(record.subarray(record.indexOf(9) + 1))].join(" "),
      ),
    ofTool: (data) => list(data["entries"]).map(({ mode, type, hash, name }) => [mode, type, hash, name].join(" ")),
  },
  logs("log", always({ max_count: 1000 }), () => ["HEAD"]),
  logs("log of a path", ofFile({ max_count: 1000 }), (facts) => ["HEAD", ...path(facts)]),
  logs("log through renames", ofFile({ max_count: 1000, follow: true }), (facts) => ["--follow", "HEAD", ...path(facts)]),
  logs("log of a line", ofFile({ max_count: 1000, line_range: "1,1" }), ({ bytes = Buffer.alloc(0) }) => [
    Buffer.concat([Buffer.from("-L1,1:"), bytes]),
    "HEAD",
  ]),
  logs("log by a changed line", always({ max_count: 1000, grep_diff: "e$" }), () => ["-Ge$", "HEAD"]),
  logs("log by a text", always({ max_count: 1000, pickaxe: "e" }), () => ["-Se", "HEAD"]),
  {
    title: "log of all branches",
    tool: "git_log",
    args: always({ max_count: 1000, all_branches: true }),
    git: ({ hasHead }) => ["log", "--format=%H", "--branches", "--remotes", "--tags", ...(hasHead ? ["HEAD"] : [])],
    ofGit: (output) => linesOf(output).sort(),
    ofTool: (data) =>
      list(data["commits"])
        .map(({ hash }) => String(hash))
        .sort(),
  },
  {
    title: "changed lines of the log",
    tool: "git_log",
    args: always({ max_count: 1000, stat: true }),
    git: () => ["log", "-z", "--format=", "--ignore-submodules=dirty", "--numstat", "--no-renames", "HEAD"],
    ofGit: (output) => numbersOfGit(output).reduce((sum, line) => sum + Number(/ \+(\d+)/.exec(line)?.[1]), 0) > 0,
    ofTool: (data) =>
      list(data["commits"])
        .flatMap(({ stats }) => list(stats))
        .reduce((sum, { additions }) => sum + Number(additions), 0) > 0,
  },
  {
    title: "branches",
    tool: "git_branch",
    args: always({ branch_type: "all", limit: 5000 }),
    git: () => ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"],
    ofGit: (output, data) => withoutBroken(output, data),
    ofTool: (data) =>
      list(data["branches"])
        .map(({ name, remote }) => `refs/${remote === true ? "remotes" : "heads"}/${String(name)}`)
        .sort(),
  },
  {
    title: "tags",
    tool: "git_tag",
    args: always({ action: "list", limit: 5000 }),
    git: () => ["for-each-ref", "--format=%(refname)", "refs/tags"],
    ofGit: (output, data) => withoutBroken(output, data),
    ofTool: (data) =>
      list(data["tags"])
        .map(({ name }) => `refs/tags/${String(name)}`)
        .sort(),
  },
  {
    title: "blame",
    tool: "git_blame",
    args: (facts) => (facts.file === undefined ? undefined : { path: facts.file, revision: "HEAD" }),
    git: (facts) => ["blame", "--line-porcelain", "HEAD", ...path(facts)],
    ofGit: (output) => [...output.toString("latin1").matchAll(/^([0-9a-f]{40,64}) \d+ \d+/gm)].map(([, id]) => id),
    ofTool: (data) =>
      list(data["hunks"]).flatMap(({ startLine, endLine, hash }) =>
        Array.from({ length: Number(endLine) - Number(startLine) + 1 }, () => hash),
      ),
  },
  ...[{}, { revision: "HEAD" }].map((where): Comparison => ({
    title: "revision" in where ? "grep of a commit" : "grep of files",
    tool: "git_grep",
    args: always({ pattern: "e", limit: 10_000, ...where }),
    git: ({ isBare }) => ["grep", "-z", "-n", "-I", "-e", "e", ...("revision" in where || isBare ? ["HEAD"] : [])],
    ofGit: (output) =>
      [...output.toString("latin1").matchAll(/([^\0]+)\0(\d+)\0[^\n]*(?:\n|$)/g)]
        .map(([, name = "", line]) => `${nameToText(Buffer.from(name.replace(/^HEAD:/, ""), "latin1"))}:${line}`)
        .sort(),
    ofTool: (data) =>
      list(data["matches"])
        .map((one) => `${String(one["path"])}:${String(one["line"])}`)
        .sort(),
  })),
  {
    title: "stashes",
    tool: "git_stash",
    args: always({ action: "list" }),
    git: () => ["stash", "list", "--format=%H"],
    ofGit: (output) => linesOf(output).length,
    ofTool: (data) => list(data["stashes"]).length,
  },
  {
    title: "a stash",
    tool: "git_stash",
    args: always({ action: "show", index: 0 }),
    git: () => ["stash", "show", "--include-untracked", "--name-only", "-z", "stash@{0}"],
    ofGit: (output) => names(output).sort(),
    ofTool: (data) =>
      list(data["files"])
        .map((one) => String(one["path"]))
        .sort(),
  },
  {
    title: "work trees",
    tool: "git_worktree",
    args: always({ action: "list" }),
    git: () => ["worktree", "list", "--porcelain"],
    ofGit: (output) => linesOf(output).flatMap((line) => /^HEAD (?!0+$)(.*)/.exec(line)?.[1] ?? []),
    ofTool: (data) => list(data["worktrees"]).flatMap((one) => one["head"] ?? []),
  },
  {
    title: "reflog",
    tool: "git_reflog",
    args: always({ max_count: 1000 }),
    git: () => ["log", "-g", "-z", "--format=%H%x00%gs", "HEAD"],
    ofGit: (output) => records(output).map((text) => text.slice(0, 2000)),
    ofTool: (data) => list(data["entries"]).flatMap(({ hash, message }) => [hash, String(message).replace(/…$/, "").slice(0, 2000)]),
  },
  {
    title: "remotes",
    tool: "git_remote",
    args: always({ action: "list" }),
    git: () => ["remote"],
    ofGit: (output) => linesOf(output),
    ofTool: (data) => list(data["remotes"]).map(({ name }) => name),
  },
  {
    title: "authors",
    tool: "git_shortlog",
    args: always({ limit: 1000 }),
    git: () => ["shortlog", "-s", "-n", "-e", "HEAD"],
    ofGit: (output) => linesOf(output).map((line) => line.trim().replace(/\s+/, " ")),
    ofTool: (data) =>
      list(data["authors"]).map(({ commits, name, email }) => `${String(commits)} ${String(name)} <${String(email)}>`.replace("  ", " ")),
  },
  {
    title: "bisect",
    tool: "git_bisect",
    args: ({ root, late }) => (root === undefined || late === undefined ? undefined : { good: root, path: nameToText(late) }),
    git: ({ late = "" }) => ["log", "-1", "--no-renames", "--diff-filter=A", "--format=%H", "HEAD", "--", late],
    ofGit: (output) => linesOf(output),
    ofTool: (data) => [data["hash"]],
  },
  ...FACT_COMPARISONS,
];
