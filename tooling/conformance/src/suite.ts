/** Runs the official suite as a process: lists its scenarios and reads its results. https://github.com/modelcontextprotocol/conformance */
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@oarlock-tooling/test-support/run-program";
import { tempFolder } from "@oarlock/testing";

const suiteUrl = import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js");
const suite = fileURLToPath(suiteUrl);

/** Sources run as they are. */
const SOURCE = [process.execPath, "--conditions=oarlock-source"] as const;
/** The commands of the clients that are judged. With OARLOCK_BUILT=1 ours is the build, which starts three times as fast. */
export const CLIENT =
  process.env["OARLOCK_BUILT"] === "1"
    ? [process.execPath, fileURLToPath(new URL("../dist/client.js", import.meta.url))]
    : [...SOURCE, fileURLToPath(new URL("client.ts", import.meta.url))];
export const OFFICIAL_CLIENT = [...SOURCE, fileURLToPath(new URL("official/client.ts", import.meta.url))];

/** A client that takes longer hangs; each scenario takes about a second, and all of a revision beside each other less than twenty. */
const CLIENT_MS = 60_000;

/** Client scenarios that run separately: one judges when the client comes back, others belong to no suite of scenarios. */
const SEPARATE = /^(?:sse-retry|sep-2640-.*)$/;

/** Scenarios whose server the client must reject, which it does by an error that ends it. */
const REJECTED =
  /^auth\/(?:scope-retry-limit|(?:resource|metadata-issuer)-mismatch|iss-(?:supported-missing|wrong-issuer|unexpected|normalized))$/;

/** The revisions that the suite knows and we serve; before the first there was nothing to drive over HTTP. */
export const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

/** Stands for the scenarios of extensions, which belong to no revision. */
export const EXTENSIONS = "extensions";

export interface Scenarios {
  server: string[];
  client: string[];
}

/** What one scenario found; `failures` and `warnings` are in the suite's words. */
export interface Outcome {
  scenario: string;
  passed: number;
  failures: string[];
  warnings: string[];
}

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  description: string;
  errorMessage?: string;
}

interface Ended {
  readonly code: number;
  readonly text: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await runProgram(process.execPath, [suite, ...args]);
  return { code, text: stdout + stderr };
}

let listing: Promise<Ended> | undefined;

/** The scenarios of a revision, or of extensions: the list names behind each what it belongs to. */
export async function scenariosOf(revision: string): Promise<Scenarios> {
  const { code, text } = await (listing ??= run("list"));
  if (code !== 0) throw new Error(`The suite cannot list its scenarios: ${text}`);
  const tag = revision === EXTENSIONS ? "extension" : revision;
  const named = (heading: string): string[] => {
    const [, list] = text.split(new RegExp(`^${heading} scenarios .*:$`, "m"));
    if (list === undefined) throw new Error(`The suite lists no ${heading} scenarios: ${text}`);
    const [own = ""] = list.split(/^\S/m);
    return [...own.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].flatMap(([, name = "", tags = ""]) =>
      tags.split(",").includes(tag) ? [name] : [],
    );
  };
  return { server: named("Server"), client: named("Client") };
}

/** The suite selects no scenario of an extension when it is given a revision. */
const specVersion = (revision: string): string[] => (revision === EXTENSIONS ? [] : ["--spec-version", revision]);

/** What the suite requires for a revision, as its own file says: the scenarios that count. */
export const requirementsOf = (revision: string): string => readFileSync(new URL(`../requirements/${revision}.yaml`, suiteUrl), "utf8");

/** Runs all server scenarios of a revision, one after the other, also those that do not count for its score. */
export async function judgeServer(url: string | URL, revision: string, scenarios: readonly string[]): Promise<Outcome[]> {
  // The scenarios of extensions are in the suite "pending", besides some that the revisions have.
  const suiteName = revision === EXTENSIONS ? "pending" : "all";
  const { checks, text } = await judged("server", "--url", String(url), "--suite", suiteName, ...specVersion(revision));
  return scenarios.map((scenario) => outcomeOf(scenario, checks.get(`server-${scenario}`), text));
}

/** Runs one client scenario; the suite starts the client. */
export async function judgeClient(revision: string, scenario: string, client = CLIENT): Promise<Outcome> {
  const { checks, text, code } = await judged("client", "--scenario", scenario, ...startOf(client), ...specVersion(revision));
  const outcome = outcomeOf(scenario, checks.get(scenario), text);
  const { failures, warnings } = outcome;
  if (code !== 0 && failures.length + warnings.length === 0) failures.push(`the client did not end well:\n${text}`);
  return outcome;
}

/** Runs client scenarios of a revision, or of extensions, in one process of the suite, beside each other, but for some that run separately. */
export async function judgeClients(revision: string, scenarios: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const [others = [], separate = []] = [false, true].map((isSeparate) =>
    scenarios.filter((scenario) => SEPARATE.test(scenario) === isSeparate),
  );
  for (const scenario of separate) outcomes.push(await judgeClient(revision, scenario));
  if (others.length === 0) return outcomes;
  const suiteName = revision === EXTENSIONS ? "extensions" : "all";
  const from = performance.now();
  const { checks, crashed, text } = await judged("client", "--suite", suiteName, ...startOf(CLIENT), ...specVersion(revision));
  const hasHung = performance.now() - from > CLIENT_MS;
  for (const scenario of others) {
    const outcome = outcomeOf(scenario, checks.get(scenario), text);
    if (hasHung || crashed.has(scenario) !== REJECTED.test(scenario))
      outcome.failures.push(hasHung ? "a client did not end" : `the client did not end as it should:\n${text}`);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** The suite starts a client by a shell, and ends only that after the time limit; `exec` makes the two one. */
const startOf = (client: readonly string[]): string[] => [
  ...["--command", ["exec", ...client.map((word) => JSON.stringify(word))].join(" ")],
  ...["--timeout", String(CLIENT_MS)],
];

interface Judged extends Ended {
  readonly checks: ReadonlyMap<string, Check[]>;
  /** Scenarios whose client ended by an error. */
  readonly crashed: ReadonlySet<string>;
}

/** Runs the suite and gathers what it leaves in a folder, by the names of the scenarios. */
async function judged(...args: readonly string[]): Promise<Judged> {
  await using folder = tempFolder();
  const ended = await run(...args, "--output-dir", folder.path);
  const filesNamed = (name: string): (readonly [scenario: string, text: string])[] =>
    globSync(`**/${name}`, { cwd: folder.path }).map((file) => [
      dirname(file)
        .replaceAll("\\", "/")
        .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""), // the suite adds the time
      readFileSync(folder.at(file), "utf8"),
    ]);
  const checks = filesNamed("checks.json").map(([scenario, text]) => [scenario, JSON.parse(text) as Check[]] as const); // the suite's own report
  const crashed = filesNamed("stderr.txt").flatMap(([scenario, text]) => (/^Node\.js v/m.test(text) ? [scenario] : []));
  return { ...ended, checks: new Map(checks), crashed: new Set(crashed) };
}

/** A check that every scenario has, also one that skips all of its own. */
const WIRE_CHECK = "wire-schema-valid";

/** A scenario without any verdict has failed: it broke down, or could not test anything. */
function outcomeOf(scenario: string, checks: readonly Check[] | undefined, text: string): Outcome {
  const messagesOf = (status: Check["status"]): string[] =>
    (checks ?? [])
      .filter((check) => check.status === status)
      .map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`);
  const passed = messagesOf("SUCCESS").length;
  const [failures, warnings] = [messagesOf("FAILURE"), messagesOf("WARNING")];
  const verdicts = (checks ?? []).filter(({ id, status }) => id !== WIRE_CHECK && status !== "SKIPPED" && status !== "INFO");
  if (verdicts.length === 0 && failures.length === 0) {
    failures.push(
      checks === undefined ? `no report; the suite messagesOf:\n${text}` : `nothing could be tested: ${messagesOf("INFO").join("; ")}`,
    );
  }
  return { scenario, passed, failures, warnings };
}
