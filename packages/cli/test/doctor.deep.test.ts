/** Tests doctor in a process of its own, where it starts the server and lacks packages. */
import { createServer } from "node:net";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { doctorSetUp } from "./support/doctor-set-up.ts";
import { run } from "./support/sample-process.ts";

const { homeWith, failures } = doctorSetUp(run);

describe("doctor", () => {
  test("finds nothing wrong with a plain set-up, and prints the same for people", async () => {
    expect(await failures([])).toEqual([]);
    const { code, stdout } = await run(["doctor"], { env: { HOME: homeWith() } });
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      code: 0,
      last: "Nothing is wrong with sample. No file of a host names it.",
    });
  });

  test("lists what the tried start leaves out", async () => {
    const HOME = homeWith();
    const startLine = async (args: readonly string[], env = {}): Promise<string | undefined> =>
      (await run(["doctor", ...args], { env: { HOME, ...env }, cwd: HOME })).stdout.split("\n").find((line) => line.includes("starts:"));
    expect(await startLine([])).toMatch(/The server starts over stdio, and answered after \d+ ms\.$/);
    expect(await startLine(["--http", "--port=0", "--audit=a.jsonl", "--otel"])).toMatch(
      /stdio, without the switches of HTTP, --audit and --otel, and answered/,
    );
  });

  test.each([
    ["bug", "a bug"],
    ["refusal", "Nothing to serve"],
  ])("names the error of a server that does not start: %s", async (startWith, message) => {
    const checks = await failures(["--start-with", startWith, "--max-bytes", "7", "--also=a", "DIR"]);
    expect(checks).toMatchObject([{ name: "starts", message: expect.stringContaining(message) }]);
    expect(await failures(["--start-with", startWith, "--log-format=json"])).toMatchObject([{ message: checks[0]?.message }]);
  });

  test("names optional packages that are not installed", async () => {
    const home = homeWith();
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { port } = engine.address() as { port: number }; // of a TCP server
    const hidden = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) { return next(/backplane-|opentelemetry$/.test(name) ? name + "-hidden" : name, context); } });`;
    const node = ["--import", `data:text/javascript,${encodeURIComponent(hidden)}`];
    const args = ["--http", "--port=0", "--otel", "--state-key=a key of many characters", `--backplane=valkeys://127.0.0.1:${port}`];
    const { stdout } = await run(["doctor", ...args], { env: { HOME: home }, cwd: home, node });
    expect(stdout).toMatch(/^FAILED otel: --otel needs packages.*\n +Remedy: Install them with: npm install @oarlock\/opentelemetry/m);
    expect(stdout).toMatch(
      /^FAILED http: --backplane needs the package.*\n +Remedy: Install it with: npm install @oarlock\/backplane-valkey/m,
    );
    engine.close();
  });
});

test("names a Node that is too old, without loading anything else", async () => {
  const older = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const node = ["--import", older];
  const json = await run(["--http", "doctor", "--json"], { node });
  expect(json).toMatchObject({ code: 1, stderr: "" });
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    server: "sample",
    summary: "1 of 1 checks of sample failed.",
    notChecked: [],
    checks: [{ name: "node", ok: false, remedy: "Install a current Node 24." }],
  });
  expect((await run(["doctor"], { node })).stdout).toContain("Remedy: Install a current Node 24.");
});
