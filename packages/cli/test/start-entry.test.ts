/** How doctor starts the entry of a host: with settings of npm that let npx download nothing and say so. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../testing/src/checks/needs.ts";
import { startEntry } from "../src/doctor/hosts/start-entry.ts";

const PATH = process.env["PATH"];

const NPX = `#!/bin/sh
env | grep -i '^npm_config_' | sort > "$0.settings"
echo 'npm error code ENOTCACHED' >&2
exit 1
`;

test("lets npx download nothing, however the host spells other settings", needs("shell scripts"), async () => {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-npx-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const npx = join(folder, "npx");
  writeFileSync(npx, NPX, { mode: 0o755 });
  const env = { PATH, npm_config_offline: "false", NPM_CONFIG_OFFLINE: "false", Npm_Config_LogLevel: "silent", NPM_CONFIG_JSON: "true" };
  expect(await startEntry({ command: npx, args: [], env })).toEqual({ kind: "not-cached" });
  expect(readFileSync(`${npx}.settings`, "utf8")).toBe("npm_config_json=false\nnpm_config_loglevel=error\nnpm_config_offline=true\n");
});

test("gives up on a command that does not answer in time", needs("shell scripts"), async () => {
  const result = await startEntry({ command: "sleep", args: ["60"], env: { PATH }, limitMs: 20 });
  expect(result).toEqual({ kind: "too-slow", reason: "it did not answer within 0.02 s" });
});
