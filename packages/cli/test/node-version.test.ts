/** Tests the check of the Node version. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSupported } from "../src/node-version.ts";
import { run } from "./sample-server.ts";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { engines: { node: string } }; // our own

test.each(["22.22.2", "22.23.0", "24.15.0", "24.21.0", "26.0.0", "27.1.0"])("%s is supported", (version) => {
  expect(isSupported(version)).toBe(true);
});

test.each(["18.20.0", "20.20.2", "22.22.1", "22.9.9", "23.11.0", "24.14.9", "25.3.0"])("%s is not supported", (version) => {
  expect(isSupported(version)).toBe(false);
});

test("an older Node exits with 3 and one sentence, before the server is created", async () => {
  const older = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  expect(await run(["--help"], { node: ["--import", older] })).toEqual({
    code: 3,
    stdout: "",
    stderr: `Error: sample does not run on Node 20.20.2: expected ${engines.node}. Install a current Node 24.\n`,
  });
});
