// Every reading tool on odd forms of repositories (`form.ts`) beside git itself: the same answer, or a refusal with the reason.
// `OARLOCK_FORMS_TABLE=FILE` writes the table: = for the same answer, b where both refuse, r where the tool refuses, p for a part, e for nothing.
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type TestConnection } from "@oarlock/testing";
import { afterAll, expect, test } from "vitest";
import { isProgram } from "../../src/repo/process/git-program.ts";
import { nameToText } from "../../src/repo/text/file-names.ts";
import { splitRecords } from "../../src/repo/process/nul-records.ts";
import type { TestRepository } from "../support/repository.ts";
import { serverWithToolsets } from "../support/target.ts";
import { entriesBelow } from "../support/entries.ts";
import { textOf } from "../support/world.ts";
import type { Comparison, Facts } from "./comparison.ts";
import { COMPARISONS } from "./comparisons.ts";
import { DAMAGED_FORMS } from "./damaged-forms.ts";
import type { Form } from "./form.ts";
import { HISTORY_FORMS } from "./history-forms.ts";
import { NAME_FORMS } from "./name-forms.ts";
import { OPERATION_FORMS } from "./operation-forms.ts";
import { REF_FORMS } from "./ref-forms.ts";
import { STORE_FORMS } from "./store-forms.ts";
import { SUBMODULE_FORMS } from "./submodule-forms.ts";
import { WORK_TREE_FORMS } from "./work-tree-forms.ts";

const FORMS: Readonly<Record<string, Form>> = {
  ...HISTORY_FORMS,
  ...REF_FORMS,
  ...WORK_TREE_FORMS,
  ...SUBMODULE_FORMS,
  ...DAMAGED_FORMS,
  ...NAME_FORMS,
  ...OPERATION_FORMS,
  ...STORE_FORMS,
};

/** The git of the fixtures, which is the one beside which the server is compared. */
const git = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "git"))
  .find(isProgram);

/** As this server reads: without replace refs, grafts and refreshed files. */
const AS_THE_SERVER = { GIT_NO_REPLACE_OBJECTS: "1", GIT_GRAFT_FILE: "/nowhere/none", GIT_OPTIONAL_LOCKS: "0" };

const SETTINGS = [
  "-c",
  "core.quotePath=false",
  "-c",
  "i18n.logOutputEncoding=UTF-8",
  "-c",
  "log.showSignature=false",
  "-c",
  "advice.graftFileDeprecated=false",
];

/** What git prints; undefined where it fails. */
function answerOf(repository: TestRepository, args: readonly (string | Buffer)[]): Buffer | undefined {
  try {
    return repository.raw([...SETTINGS, ...args], { env: AS_THE_SERVER });
  } catch (error) {
    // The exit code of a search without a hit.
    if (error instanceof Error && "status" in error && error.status === 1 && String(args[0]) === "grep") return Buffer.alloc(0);
    return undefined;
  }
}

function factsOf(repository: TestRepository): Facts {
  const files = answerOf(repository, ["ls-tree", "-r", "-z", "HEAD"]) ?? Buffer.alloc(0);
  const [entry] = splitRecords(files).filter((record) => record.toString("latin1").startsWith("100"));
  const bytes = entry?.subarray(entry.indexOf(9) + 1);
  const file = bytes === undefined ? undefined : nameToText(bytes);
  const has = (...args: string[]): boolean => answerOf(repository, args) !== undefined;
  const root = answerOf(repository, ["rev-list", "--max-parents=0", "--first-parent", "HEAD"])?.toString().split("\n", 1)[0];
  const nameOf = (record: Buffer): Buffer => record.subarray(record.indexOf(9) + 1);
  const first = root === undefined ? undefined : answerOf(repository, ["ls-tree", "-r", "-z", "--name-only", root]);
  const old = new Set(splitRecords(first ?? Buffer.alloc(0)).map((name) => name.toString("latin1")));
  const late =
    first === undefined
      ? undefined
      : splitRecords(files)
          .map(nameOf)
          .find((name) => !old.has(name.toString("latin1")));
  return {
    file,
    bytes,
    root,
    late,
    hasHead: root !== undefined,
    hasParent: has("rev-parse", "--verify", "--quiet", "HEAD~1"),
    hasBrokenModules: has("cat-file", "-e", "HEAD:.gitmodules") && !has("config", "--blob=HEAD:.gitmodules", "--list"),
    isBare: answerOf(repository, ["rev-parse", "--is-bare-repository"])?.toString() === "true\n",
  };
}

type Outcome = "same" | "both refuse" | "refused" | "in part" | "not asked" | "empty";

const isEmpty = (value: unknown): boolean => value === "" || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

type Reply = Awaited<ReturnType<TestConnection["client"]["call"]>>;

function compare(result: Reply, repository: TestRepository, facts: Facts, of: Comparison, form: Form): Outcome {
  const answer = answerOf(repository, of.git(facts));
  const text = textOf(result);
  if (result.isError === true) {
    expect(text, `${of.title}: an error without words`).toMatch(/\w+ \w+/);
    expect(text, of.title).not.toMatch(/internal error/i);
    if (answer === undefined) return "both refuse";
    expect(text, `${of.title}: git answers ${answer.toString().slice(0, 200)}`).toMatch(form.refuses ?? /(?!)/);
    return "refused";
  }
  const data = (result.structuredContent ?? {}) as Json;
  const got = of.ofTool(data, text);
  if (answer === undefined) {
    // What git refuses as a whole, a tool may show in part, if it names what it leaves out.
    if (/^\[(?:left out|not looked into)/m.test(text)) return "in part";
    expect(isEmpty(got), `${of.title}: git fails, the tool answers ${JSON.stringify(got).slice(0, 300)}`).toBe(true);
    return "empty";
  }
  expect(got, of.title).toEqual(of.ofGit(answer, data));
  return "same";
}

const table = new Map<string, ReadonlyMap<string, Outcome>>();
const isLong = process.env["OARLOCK_LONG"] === "1";

/** One comparison of every fourth tool, other tools and comparisons for each form; with `OARLOCK_LONG=1` all of them. */
function chosen(facts: Facts, at: number): Comparison[] {
  const possible = COMPARISONS.filter(({ args }) => args(facts) !== undefined);
  if (isLong) return possible;
  const byTool = Map.groupBy(possible, ({ tool }) => tool);
  const turn = Math.floor(at / 4);
  return [...byTool.values()].flatMap((variants, n) => (n % 4 === at % 4 ? (variants[turn % variants.length] ?? []) : []));
}

/** Forms whose like is tried anyway: in the long tier only. */
const ALIKE: ReadonlySet<string> = new Set([
  "a merge",
  "two roots",
  "no commits, a staged file",
  "HEAD at a tag",
  "packed refs and objects",
  "names that differ in case only",
  "deep and long names",
  "a sparse checkout by patterns",
  "a submodule that is not checked out",
  "an index of garbage",
  "an empty index",
  "a missing file of the past",
  "a file of HEAD cut in half",
  "a damaged pack",
]);
const tried = Object.entries(FORMS).filter(([name]) => isLong || !ALIKE.has(name));

test.each(tried)("answers as git does: %s", async (name, form) => {
  await using folder = tempFolder({ all: {} });
  const repository = form.make(folder);
  if (repository === undefined) return;
  const places = form.root === undefined ? { repositories: [repository.path] } : { repositoriesRoots: [folder.at(form.root)] };
  await using wired = await connectTo(await serverWithToolsets({ ...places, git, readOnly: true }, ["default", "integrate", "remote"]));
  const facts = factsOf(repository);
  const before = entriesBelow(folder.path);
  const outcomes = new Map<string, Outcome>();
  const failures: unknown[] = [];
  const replies: (readonly [Comparison, Reply])[] = [];
  for (const of of chosen(facts, Object.keys(FORMS).indexOf(name)))
    replies.push([of, await wired.client.call(of.tool, { repo_path: repository.path, ...of.args(facts) })]);
  // Before git is asked, which may write: reading leaves every file as it is, below .git and beside it.
  expect(entriesBelow(folder.path)).toEqual(before);
  for (const [of, reply] of replies)
    try {
      outcomes.set(of.title, compare(reply, repository, facts, of, form));
    } catch (error) {
      failures.push(error);
    }
  table.set(name, outcomes);
  expect(failures.map((error) => (error instanceof Error ? error.message : error)).join("\n---\n")).toBe("");
});

afterAll(() => {
  const file = process.env["OARLOCK_FORMS_TABLE"];
  if (file === undefined) return;
  const mark = { same: "=", "both refuse": "b", refused: "r", "in part": "p", "not asked": " ", empty: "e" };
  const titles = COMPARISONS.map(({ title }) => title);
  const rows = [...table].map(
    ([name, outcomes]) => `| ${name} | ${titles.map((title) => mark[outcomes.get(title) ?? "not asked"]).join(" | ")} |`,
  );
  writeFileSync(file, [`| form | ${titles.join(" | ")} |`, `| --- |${" --- |".repeat(titles.length)}`, ...rows, ""].join("\n"));
});
