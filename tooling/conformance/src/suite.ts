/** Runs the official suite as a process: lists its scenarios and reads its results. https://github.com/modelcontextprotocol/conformance */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const suiteUrl = import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js");
const suite = fileURLToPath(suiteUrl);

/** Sources run as they are. */
export const SOURCE = [process.execPath, "--conditions=oarlock-source"] as const;
/** The commands of the clients that are judged. With OARLOCK_BUILT=1 ours is the build, which starts three times as fast. */
export const CLIENT =
  process.env["OARLOCK_BUILT"] === "1"
    ? [process.execPath, fileURLToPath(new URL("../dist/client.js", import.meta.url))]
    : [...SOURCE, fileURLToPath(new URL("client.ts", import.meta.url))];
export const OFFICIAL_CLIENT = [...SOURCE, fileURLToPath(new URL("official/client.ts", import.meta.url))];

/** A client that takes longer hangs; each scenario takes about a second. */
const CLIENT_MS = 20_000;

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
  code: number | null;
  /** All that it printed. */
  text: string;
}

function run(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}

/** The scenarios of a revision, or of extensions. */
export async function scenariosOf(revision: string): Promise<Scenarios> {
  const named = async (leg: keyof Scenarios): Promise<string[]> => {
    const { code, text } = await run("list", `--${leg}`, ...specVersion(revision));
    if (code !== 0) throw new Error(`The suite cannot list its scenarios: ${text}`);
    const pattern = revision === EXTENSIONS ? /^ {2}- (\S+) \[extension\]/gm : /^ {2}- (\S+)/gm;
    return [...text.matchAll(pattern)].map(([, name = ""]) => name);
  };
  return { server: await named("server"), client: await named("client") };
}

/** The suite selects no scenario of an extension when it is given a revision. */
const specVersion = (revision: string): string[] => (revision === EXTENSIONS ? [] : ["--spec-version", revision]);

/** What the suite requires for a revision, as its own file says: the scenarios that count. */
export const requirementsOf = (revision: string): string => readFileSync(new URL(`../requirements/${revision}.yaml`, suiteUrl), "utf8");

/** Runs all server scenarios of a revision, one after the other, also those that do not count for its score. */
export async function judgeServer(url: string, revision: string, scenarios: readonly string[]): Promise<Outcome[]> {
  // The scenarios of extensions are in the suite "pending", besides some that the revisions have.
  const suiteName = revision === EXTENSIONS ? "pending" : "all";
  const { checks, text } = await judged("server", "--url", url, "--suite", suiteName, ...specVersion(revision));
  return scenarios.map((scenario) => outcomeOf(scenario, checks.get(`server-${scenario}`), text));
}

/** Runs one client scenario; the suite starts the client. */
export async function judgeClient(revision: string, scenario: string, client = CLIENT): Promise<Outcome> {
  // The suite starts it by a shell, and ends only that after the time limit; `exec` makes the two one.
  const command = ["exec", ...client.map((word) => JSON.stringify(word))].join(" ");
  const limits = ["--timeout", String(CLIENT_MS), ...specVersion(revision)];
  const { checks, text, code } = await judged("client", "--command", command, "--scenario", scenario, ...limits);
  const outcome = outcomeOf(scenario, checks.get(scenario), text);
  const { failures, warnings } = outcome;
  if (code !== 0 && failures.length + warnings.length === 0) failures.push(`the client did not end well:\n${text}`);
  return outcome;
}

/** Runs the suite and gathers the checks that it leaves in a folder, by the names of the scenarios. */
async function judged(...args: readonly string[]): Promise<Ended & { checks: Map<string, Check[]> }> {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-conformance-"));
  try {
    const ended = await run(...args, "--output-dir", folder);
    const checks = globSync("**/checks.json", { cwd: folder }).map((file): [string, Check[]] => [
      dirname(file).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""), // the suite adds the time
      JSON.parse(readFileSync(join(folder, file), "utf8")) as Check[], // the suite's own report
    ]);
    return { ...ended, checks: new Map(checks) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
