/** Tests starts that fail, and what the first lines on stderr are. */
import { expect, test } from "vitest";
import { look, run, Sample } from "./support/sample-in-memory.ts";

test("exits with 1 on an unexpected error and names its source location", async () => {
  const { code, stdout, stderr } = await run(["--start-with", "bug"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^printed while starting\nError: sample failed to start: TypeError: a bug \(at .*\)\n$/);
});

test("exits with 1 on a definition that the kit refuses and names its location in the author's code", async () => {
  const { code, stderr } = await run(["--start-with", "duplicate"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /TypeError: Duplicate name "twice" among the tools\. Rename one of them, or enter it once\. \(at [^ ]+ \(.*fixtures\/sample\.ts:\d+:\d+\)\)\n$/,
  );
});

test("writes the reason of a failed start first, then the buffered log", async () => {
  const { code, stderr } = await run(["--start-with", "warning", "a", "--tools", "chnage"]);
  const [first, second] = stderr.replace("printed while starting\n", "").split("\n");
  expect({ code, first, second }).toEqual({
    code: 2,
    first: 'Error: Unknown tool "chnage" in --tools: did you mean change?',
    second: 'Warning: {"skipped":["a"]}',
  });
});

test("writes the reason of a failed start before a warning about its tools", async () => {
  const { code, stderr } = await run(["--read-only", "--tools=change", "--http", "--port=0", "--allowed-hosts=https://a.example"]);
  const [first, second] = stderr.replace("printed while starting\n", "").split("\n");
  expect({ code, first, second }).toEqual({
    code: 2,
    first: expect.stringContaining('Error: Invalid host "https://a.example"'),
    second: expect.stringContaining("Warning: No tools are enabled"),
  });
});

test("takes sentence and exit code from a StartError", async () => {
  expect(await run(["--start-with", "refusal"])).toEqual({
    code: 3,
    stdout: "",
    stderr: "printed while starting\nError: Nothing to serve: the folder does not exist. Give another one.\n",
  });
});

test("writes a hint for a person at a terminal, and serves", async () => {
  await look(
    [],
    async (sample) => {
      await sample.until("stderr", /--print-config claude-desktop/);
      expect(await sample.tools()).toContain("wait");
    },
    { isTerminal: true },
  );
  expect((await run([])).stderr).not.toContain("--print-config");
});

test.each([{}, { OARLOCK_AUTH_TOKEN: "a-secret-for-http" }])("AUTH-01 needs no token for stdio: environment %j", async (env) => {
  const server = new Sample([], { env: env as Record<string, string> });
  server.send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } });
  server.send("tools/list");
  await server.until("stdout", /"tools":\[/);
  const { code, stdout, stderr } = await server.end();
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("a-secret-for-http");
});
