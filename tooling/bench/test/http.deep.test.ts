/** The HTTP side of the bench, in the long tier: it measures its figures and counts no wrong answer. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { expect, test } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Round {
  figures: Record<string, number | null>;
  stdout: string;
  status: number | null;
}

/** One quick round of a suite with one target. */
function bench(suite: string, ...target: string[]): Round {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
  try {
    const file = join(folder, "result.json");
    const args = [here("../src/run.ts"), suite, "--quick", "--rounds", "1", "--json", file, ...target];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    const raw: Record<string, Round["figures"][]> = JSON.parse(readFileSync(file, "utf8")).suites[0].raw;
    return { figures: Object.values(raw)[0]![0]!, stdout, status };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const modes = ["stateful", "stateless", "modern"].flatMap((era) => [`${era}/json`, `${era}/sse`]);
/** One connection in each mode, and more in the first: the number of connections does not depend on the mode. */
const labels = [...modes.map((mode) => `${mode} c1`), ...["c16", "c64"].map((lanes) => `stateful/json ${lanes}`)];
const suites: [string, string[], string[]][] = [
  [
    "http",
    ["--figures", "c1 |^stateful/json "],
    labels.flatMap((label) => ["rps", "p50 us", "p99 us", "server cpu us"].map((unit) => `${label} ${unit}`)),
  ],
  ["sessions", [], ["KiB per session", "KiB per session with stream", "session open ms"]],
];

test.each(suites)("%s measures all of its figures on the floor", IN_LONG_RUNS, (suite, only, expected) => {
  const { figures, status, stdout } = bench(suite, "--target", "floor-http", ...only);
  expect({ status, stdout }).toMatchObject({ status: 0 });
  expect(Object.keys(figures).toSorted()).toEqual(expected.toSorted());
  expect(Object.values(figures).every(Number.isFinite)).toBe(true);
});

const source = `ours=node --conditions=oarlock-source ${here("../src/echo-http.ts")}`;

test("answers in every mode but stateless handshake revisions by the echo server of the kit", IN_LONG_RUNS, () => {
  const { figures, stdout } = bench("http", "--figures", "c1 rps", "--cmd", source);
  const spoken = modes.filter((mode) => !mode.startsWith("stateless"));
  expect(Object.keys(figures), stdout).toEqual(spoken.map((mode) => `${mode} c1 rps`));
  // The kit has a session with each client that shakes hands.
  expect(stdout.match(/^- http, ours: .*/gm)).toEqual([
    expect.stringContaining("stateless/json: notifications/initialized was refused with 400"),
    expect.stringContaining("stateless/sse: notifications/initialized was refused with 400"),
  ]);
});

test("measures a target only in its own eras", IN_LONG_RUNS, () => {
  const { figures, status, stdout } = bench("http", "--figures", "c1 rps", "--target", "sdk-v1-http");
  expect({ status, stdout }).toMatchObject({ status: 0 });
  expect(Object.keys(figures)).toEqual(modes.slice(0, 4).map((mode) => `${mode} c1 rps`));
});

test("refuses a target of another era in a suite of one era", IN_LONG_RUNS, () => {
  const { status, stderr } = spawnSync(process.execPath, [here("../src/run.ts"), "stdio-modern", "--target", "sdk-v1"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 2, stderr: "stdio-modern: none of the targets fits this suite\n" });
});
/** A server that answers in its own way; `id` and `count` (of calls) are at hand. */
const wrong = (result: string): string => `
  let count = 0;
  require("node:http").createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk)).on("end", () => {
      const { id, method } = JSON.parse(text || "{}");
      if (method === "initialize") response.setHeader("mcp-session-id", "s");
      if (id === undefined) return response.writeHead(202, { "content-length": 0 }).end();
      if (method === "tools/call") count++;
      response.setHeader("content-type", "application/json");
      const body = JSON.stringify({ jsonrpc: "2.0", id: ${result} });
      response.setHeader("content-length", body.length);
      response.end(body);
    });
  }).listen(process.env.PORT, "127.0.0.1");`;

const echo = (text: string): string => `result: { content: [{ type: "text", text: ${text} }] }`;
const right = '"x".repeat(64)';

test.each([
  ["not the message", `id, ${echo('"y"')}`, "stateful/json: the echo is not the message"],
  // On a busy machine this mode ends after a few dozen answers.
  ["wrong after ten right ones", `id, ${echo(`count > 10 ? "y" : ${right}`)}`, "stateful/json: a wrong answer: HTTP/1.1 200 OK"],
  ["to another request", `count > 10 ? id - 1 : id, ${echo(right)}`, "stateful/json: a wrong answer: HTTP/1.1 200 OK"],
  ["an error", `id, error: { code: -32603, message: "no" }`, "stateful/json: refused: "],
  ["not the message, without a session", `id, ${echo('"y"')}`, "modern/json: the echo is not the message"],
  ["JSON where a stream was asked for", `id, ${echo(right)}`, "stateful/sse: answered with application/json instead of text/event-stream"],
])("fails and prints the problem for an answer that is %s", IN_LONG_RUNS, (_, result, problem) => {
  const [mode] = problem.split(":");
  const { status, stdout } = bench("http", "--figures", `^${mode} c1 rps`, "--cmd", `wrong=node --eval '${wrong(result)}'`);
  expect(stdout).toContain(`- http, wrong: ${problem}`);
  expect(status).toBe(1);
});

test("fails and prints the problem when a server exits", IN_LONG_RUNS, () => {
  const { status, stdout } = bench("sessions", "--cmd", "broken=node --eval 'console.error(`no luck`)'");
  expect(stdout).toContain("- sessions, broken: the server ended; stderr: no luck");
  expect(status).toBe(1);
});
