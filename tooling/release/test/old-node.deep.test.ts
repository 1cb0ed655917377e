// An old Node gets as far as the sentence that it is too old, although the bundles use what it lacks.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const OLD_NODE = `data:text/javascript,${encodeURIComponent(`
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });
  delete process.getBuiltinModule;
`)}`;

test.each(["filesystem", "git", "sqlite", "memory"])("%s names the Node that it needs, and doctor the remedy", (server) => {
  const bin = fileURLToPath(new URL(`../../../servers/${server}/dist/bin.js`, import.meta.url));
  const run = (...args: string[]) => spawnSync(process.execPath, ["--import", OLD_NODE, bin, ...args], { encoding: "utf8" });
  const started = run(".");
  expect(started.stderr).toMatch(/^Error: oarlock-\w+ does not run on Node 18\.20\.8: expected .*\. Install a current Node 24\.\n$/);
  expect(started.status).toBe(3);
  const report = run("doctor", "--json");
  expect(JSON.parse(report.stdout)).toMatchObject({ ok: false, checks: [{ name: "node", remedy: "Install a current Node 24." }] });
  expect(report.status).toBe(1);
});
