// GIT-11 to GIT-15, GIT-17 and GIT-18: what is said in an argument is a value, never an option, a pattern or a second argument.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { TestRepository } from "../support/repository.ts";
import { ENTRY_POINTS, toolsOf } from "./entry-points.ts";
import { startStress, type StressRun } from "./stress.ts";

/** Arguments with free text or paths: they may begin with a dash and have any content. */
const FREE = new Set(["message", "files", "paths", "path", "cursor"]);

const dashes = ({ executionMark: mark, out }: StressRun): string[] => [
  "-p",
  `-O${mark}`,
  "-O/bin/x",
  "-c",
  "--exec=x",
  "--no-index",
  "--ext-diff",
  "--upload-pack=x",
  `--git-dir=${out}/repo/.git`,
  `--contents=${out}/secret.txt`,
  `--output=${mark}`,
  `--outp=${mark}`,
  "--upl=x",
  "-uOx",
  "--no-inde",
  "--all",
  "--stdin",
  "--",
  "-",
  "--help",
  `--open-files-in-pager=touch ${mark}`,
  `-f${out}/secret.txt`,
  `--file=${out}/secret.txt`,
  `--pathspec-from-file=${out}/secret.txt`,
  `--template=${out}`,
];

const hidden = ({ executionMark: mark }: StressRun): string[] => [
  `HEAD --output=${mark}`,
  `HEAD\n--output=${mark}`,
  "HEAD\t-p",
  "HEAD\u0000-p",
  `HEAD\r\n--output=${mark}`,
  `HEAD\u2028--output=${mark}`,
  `main\n`,
  `\u0000`,
  `--output=${mark}\nHEAD`,
  ` --output=${mark}`,
  `HEAD..--output=${mark}`,
  `--output=${mark}..HEAD`,
  `HEAD...-p`,
  `^--output=${mark}`,
  `@{--output=${mark}}`,
  `$(touch ${mark})`,
  `\`touch ${mark}\``,
  `;touch ${mark}`,
  `|touch ${mark}`,
  `"; touch ${mark}; "`,
];

/** All of them where there is time; else each place has its share, so that together every value is tried at many places. */
const shareOf = (values: readonly string[], at: number): readonly string[] =>
  process.env["OARLOCK_LONG"] === "1" ? values : values.filter((_, index) => index % 8 === at % 8);

interface Place {
  readonly tool: string;
  readonly argument: string;
  /** The arguments with `value` in this place. */
  with(value: string): Json;
}

/** Every argument of every tool that takes text, or a list of texts. */
async function placesOf(stress: StressRun, repo: string): Promise<Place[]> {
  const tools = await toolsOf(stress);
  return tools.flatMap(({ name, inputSchema }) => {
    const properties = isObject(inputSchema) && isObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
    const base = baseOf(String(name), stress);
    return Object.entries(properties).flatMap(([argument, schema]): Place[] => {
      if (!isObject(schema) || schema["enum"] !== undefined) return [];
      const isList = schema["type"] === "array";
      if (schema["type"] !== "string" && !isList) return [];
      return base.map((args) => ({
        tool: String(name),
        argument,
        with: (value) => ({ repo_path: repo, ...args, [argument]: isList ? [value] : value }),
      }));
    });
  });
}

/** Calls that are right but for what is put into them, one an act of the tool. */
function baseOf(tool: string, stress: StressRun): Json[] {
  const seen = new Map<unknown, Json>();
  for (const [name, args] of CALLS_OF(stress)) if (name === tool && !seen.has(args["action"])) seen.set(args["action"], args);
  return [...seen.values()];
}

const CALLS_OF = (stress: StressRun): (readonly [string, Json])[] =>
  ENTRY_POINTS.flatMap(({ tool, args }) =>
    tool === undefined || args === undefined ? [] : [[tool, args(stress, stress.at("r"))] as const],
  );

/** A file of every kind of name that could be taken for something else. */
function tricky(own: StressRun): TestRepository {
  const repo = own.repository("r", {
    "f.txt": "one\n",
    "-A": "dash\n",
    "--pathspec-from-file=x": "from\n",
    ":(top)x": "magic\n",
    "*.c": "star\n",
    "a.c": "c\n",
    "[ab].c": "class\n",
  });
  repo.git("branch", "stress");
  return repo;
}

test("GIT-11 GIT-12 GIT-14 GIT-29 no tool obeys an option in a text argument", async () => {
  await using stress = await startStress((own) => void tricky(own));
  const accepted: string[] = [];
  for (const [at, place] of (await placesOf(stress, stress.at("r"))).entries()) {
    for (const value of shareOf(dashes(stress), at)) {
      const { failed } = await stress.reply(place.tool, place.with(value));
      if (!failed && !FREE.has(place.argument)) accepted.push(`${place.tool} ${JSON.stringify(place.with(value))}`);
    }
  }
  expect(accepted).toEqual([]);
  await stress.checkRules();
}, 180_000);

test("GIT-13 no tool splits or obeys options, lines and commands hidden in a text argument", async () => {
  await using stress = await startStress((own) => void tricky(own));
  const accepted: string[] = [];
  for (const [at, place] of (await placesOf(stress, stress.at("r"))).entries()) {
    for (const value of shareOf(hidden(stress), at)) {
      const { failed } = await stress.reply(place.tool, place.with(value));
      // No name of git contains control characters.
      if (!failed && !FREE.has(place.argument) && ["\n", "\u0000", "\t", "\r"].some((control) => value.includes(control)))
        accepted.push(`${place.tool} ${JSON.stringify(place.with(value))}`);
    }
  }
  expect(accepted).toEqual([]);
  expect(readdirSync(stress.base).toSorted()).toEqual(["OUT", "ROOT", "trace"]);
  await stress.checkRules();
}, 180_000);

test("GIT-12 URIs, prompts and completions refuse options", async () => {
  await using stress = await startStress((own) => void tricky(own));
  for (const value of shareOf([...dashes(stress), ...hidden(stress)], 0)) {
    const part = encodeURIComponent(value);
    for (const uri of [
      `git:///r/commit/${part}`,
      `git:///r/diff/${part}`,
      `git:///r/blob/${part}/f.txt`,
      `git:///r/blob/HEAD/${part}`,
      `git:///r/tree/${part}/`,
      `git:///${part}/status`,
    ])
      await stress.request("resources/read", { uri });
    for (const [name, args] of [
      ["review_changes", { repo: "r", target: value }],
      ["summarize_history", { repo: "r", since: value }],
      ["release_notes", { repo: "r", from: value, to: value }],
      ["commit_message", { repo: value }],
    ] as const)
      await stress.request("prompts/get", { name, arguments: args });
    const ref = { type: "ref/resource", uri: "git:///{repo}/blob/{revision}/{+path}" };
    for (const [name, known] of [
      ["repo", {}],
      ["revision", { repo: "r" }],
      ["revision", { repo: value }],
      ["path", { repo: "r", revision: value }],
      ["path", { repo: "r", revision: "HEAD" }],
    ] as const)
      await stress.request("completion/complete", { ref, argument: { name, value }, context: { arguments: known } });
  }
  await stress.checkRules();
}, 120_000);

test("GIT-15 costly revisions end with an id or a clean error in time, while other calls are served", async () => {
  const words = Array.from({ length: 300 }, (_, at) => `${"a".repeat(60 + (at % 7))}!`).join(" ");
  const prepare = (own: StressRun): void => {
    const repo = own.repository("r");
    for (let n = 0; n < 10; n++) repo.commit(`${words} ${"x".repeat(2000)} ${n}`);
  };
  await using stress = await startStress(prepare, { args: ["--timeout=2500"] });
  const revisions = [
    ":/^(a+)+$",
    "HEAD^{/(x+x+)+y}",
    `:/${"(x+x+)+".repeat(5)}y`,
    ":/\\(\\(\\(x\\{1,99\\}\\)\\{1,99\\}\\)\\{1,99\\}\\)",
    "HEAD~999999999",
    "HEAD^999999999",
    "HEAD~99999999999999999999999",
    "@{1000000}",
    "HEAD@{1000000.years.ago}",
    "HEAD:../../OUT/secret.txt",
    "HEAD:/etc/passwd",
    "HEAD:./../../OUT/secret.txt",
    "HEAD:~/x",
    ":0:../OUT/secret.txt",
    `HEAD${"^".repeat(900)}`,
    `HEAD${"~1".repeat(450)}`,
    "HEAD^{}^{}^{tree}^{commit}",
    "@{u}",
    "@{-1}",
    "--",
    "HEAD^@",
    "HEAD^!",
    "HEAD^-",
    "^HEAD",
    "main^{/}",
    ":/",
    "x".repeat(100_000),
  ];
  for (const revision of revisions) {
    const calls = [
      stress.reply("git_show", { repo_path: "r", revision }),
      stress.reply("git_log", { repo_path: "r", revision, max_count: 1 }),
      stress.reply("git_diff", { repo_path: "r", target: revision, format: "names" }),
      stress.reply("git_branch", { repo_path: "r", contains: revision }),
    ];
    await stress.checkHealth();
    for (const { text } of await Promise.all(calls)) expect(text.length, revision.slice(0, 80)).toBeLessThan(200_000);
  }
  for (const pattern of ["\\(x*x*\\)*y", "\\(\\(\\(x\\{1,99\\}\\)\\{1,99\\}\\)\\{1,99\\}\\)", "\\(a*\\)*\\1b", "["]) {
    for (const args of [{ grep: pattern }, { author: pattern }, { pickaxe: pattern }])
      await stress.reply("git_log", { repo_path: "r", ...args });
    await stress.checkHealth();
  }
  await stress.checkRules();
}, 180_000);

test("GIT-17 a file whose name looks like an option is the only one affected", async () => {
  await using stress = await startStress((own) => void tricky(own));
  const repo = new TestRepository(stress.at("r"));
  const git = (...args: string[]): string => repo.git(...args);
  for (const name of ["-A", "--pathspec-from-file=x"]) {
    repo.write({ "-A": "changed\n", "--pathspec-from-file=x": "changed\n", "f.txt": "changed\n" });
    expect((await stress.call("git_add", { repo_path: "r", files: [name] }))["result"]).toMatchObject({
      structuredContent: { staged: [name] },
    });
    expect(git("diff", "--cached", "--name-only")).toBe(name);
    const diff = await stress.call("git_diff_staged", { repo_path: "r", paths: [name], format: "names" });
    expect(diff["result"]).toMatchObject({ structuredContent: { files: [{ path: name }] } });
    expect((await stress.call("git_reset", { repo_path: "r", files: [name] }))["result"]).toMatchObject({
      structuredContent: { unstaged: [name] },
    });
    expect(git("diff", "--cached", "--name-only")).toBe("");
    expect(await stress.reply("git_log", { repo_path: "r", paths: [name] })).toMatchObject({
      failed: false,
      text: expect.stringContaining("first"),
    });
    expect(await stress.reply("git_blame", { repo_path: "r", path: name, revision: "HEAD" })).toMatchObject({ failed: false });
    expect(await stress.reply("git_show", { repo_path: "r", revision: "HEAD", path: name })).toMatchObject({ failed: false });
    expect(await stress.reply("git_grep", { repo_path: "r", pattern: "dash\\|from", paths: [name], revision: "HEAD" })).toMatchObject({
      failed: false,
    });
    expect(await stress.reply("git_restore", { repo_path: "r", files: [name] })).toMatchObject({ failed: false });
    expect(git("diff", "--name-only").split("\n")).toEqual(["--pathspec-from-file=x", "-A", "f.txt"].filter((other) => other !== name));
    git("checkout", "--", ".");
  }
  await stress.checkRules();
});

test("GIT-18 treats pathspec magic and patterns as literal names", async () => {
  await using stress = await startStress((own) => void tricky(own));
  const repo = new TestRepository(stress.at("r"));
  const all = [":(top)x", "*.c", "a.c", "[ab].c", "f.txt"];
  repo.write(Object.fromEntries(all.map((name) => [name, "changed\n"])));
  for (const name of [":(top)f.txt", ":(glob)**", ":!f.txt", ":^f.txt", ":(attr:y)", "**", "?.c", ":/", ":", ":(exclude)x", "f.tx?"]) {
    expect(await stress.reply("git_add", { repo_path: "r", files: [name] }), name).toMatchObject({ failed: true });
    expect(repo.git("diff", "--cached", "--name-only"), name).toBe("");
    const { result } = await stress.call("git_diff_unstaged", { repo_path: "r", paths: [name], format: "names" });
    expect(result, name).toMatchObject({ structuredContent: { files: [] } });
    await stress.reply("git_reset", { repo_path: "r", files: [name] });
    await stress.reply("git_restore", { repo_path: "r", files: [name] });
    await stress.reply("git_stash", { repo_path: "r", action: "push", paths: [name] });
    expect(repo.git("diff", "--name-only").split("\n").length, name).toBe(all.length);
  }
  for (const name of ["*.c", "[ab].c", ":(top)x"]) {
    expect((await stress.call("git_add", { repo_path: "r", files: [name] }))["result"], name).toMatchObject({
      structuredContent: { staged: [name] },
    });
    expect(repo.git("diff", "--cached", "--name-only"), name).toBe(name);
    repo.git("reset", "-q");
  }
  await stress.checkRules();
});

test("GIT-12 refuses names of branches, tags and work trees that begin with a dash or climb", async () => {
  await using stress = await startStress((own) => void tricky(own));
  const repo = new TestRepository(stress.at("r"));
  const before = repo.git("for-each-ref");
  for (const name of [
    "-D",
    "--force",
    "../x",
    "a..b",
    "a b",
    "a\nb",
    "a~b",
    "x.lock",
    "HEAD",
    "@",
    "refs/../../x",
    "a//b",
    "/a",
    "a/",
    ".a",
    "a.",
    "",
    "é\u0000",
    "x".repeat(300),
  ]) {
    for (const [tool, args] of [
      ["git_create_branch", { branch_name: name }],
      ["git_checkout", { branch_name: name, create: true }],
      ["git_tag", { action: "create", name }],
      ["git_worktree", { action: "add", path: "tree", branch: name }],
    ] as const)
      expect(await stress.reply(tool, { repo_path: "r", ...args }), `${tool} ${JSON.stringify(name)}`).toMatchObject({ failed: true });
  }
  expect(repo.git("for-each-ref")).toBe(before);
  expect(existsSync(join(stress.at("r"), "tree"))).toBe(false);
  await stress.checkRules();
}, 60_000);
