// Tests --http on a real process: its end, and packages that are not installed.
import { expect, test } from "vitest";
import { run, Sample } from "./support/sample-process.ts";

const KEY = "a key of many characters";

test("HTTP-06 SEC-06 keeps stdout empty, and exits with 0 on SIGTERM", async () => {
  const sample = new Sample(["--http", "--port", "0", "--log-level", "error"]);
  await sample.until("stderr", /listening on http:\/\/127\.0\.0\.1:\d+\/mcp/);
  sample.child.kill("SIGTERM");
  expect(await sample.ended).toMatchObject({ code: 0, stdout: "" });
});

test("serves after the end of stdin, because hosts may start it without one", async () => {
  const sample = new Sample(["--http", "--port", "0"]);
  await sample.until("stderr", /listening on http\S+/);
  const [, url = ""] = /listening on (http:\S+)/.exec(sample.stderr) ?? [];
  sample.child.stdin.end();
  expect((await fetch(url)).status).toBe(400);
  sample.child.kill("SIGTERM");
  expect((await sample.ended).code).toBe(0);
});

test.each([
  ["valkey://127.0.0.1:1", "@oarlock/backplane-valkey"],
  ["postgresql://127.0.0.1:1/x", "@oarlock/backplane-postgres"],
])("exits with 2 and the install command for a backplane whose package is missing: %s", async (url, name) => {
  const hidden = `import { registerHooks } from "node:module";
    registerHooks({ resolve(specifier, context, next) { return next(specifier === "${name}" ? specifier + "-hidden" : specifier, context); } });`;
  const node = ["--import", `data:text/javascript,${encodeURIComponent(hidden)}`];
  const { code, stderr } = await run(["--http", "--port=0", "--backplane", url, "--state-key", KEY], { node });
  expect(code).toBe(2);
  expect(stderr).toContain(
    `Error: --backplane needs the package ${name}, which is not installed beside sample. Install it with: npm install ${name}`,
  );
});
