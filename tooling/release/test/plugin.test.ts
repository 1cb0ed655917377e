/** The plugins of the four servers: what Claude Code looks for in their folders. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changeHooks } from "@oarlock/cli/hooks";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { SERVERS } from "../src/about.ts";
import { folderOf, manifestOf, root } from "../src/repository.ts";

const jsonOf = (...path: string[]): Record<string, unknown> => JSON.parse(readFileSync(join(...path), "utf8")) as Record<string, unknown>;

describe.each(SERVERS)("$name", (about) => {
  test("has a manifest, a server and a skill, all of them in its package", () => {
    const folder = folderOf(about);
    const { name, version } = jsonOf(folder, ".claude-plugin/plugin.json");
    expect([name, version]).toEqual([`oarlock-${about.name}`, manifestOf(folder).version]);
    expect(jsonOf(folder, ".mcp.json")).toMatchObject({ mcpServers: { [about.name]: { command: "npx" } } });
    expect(existsSync(join(folder, "skills", `use-${about.name}`, "SKILL.md"))).toBe(true);
    expect(jsonOf(folder, "package.json")["files"]).toEqual(expect.arrayContaining([".claude-plugin", ".mcp.json", "skills"]));
  });
});

test("the hooks of memory are those that hooks install writes", async () => {
  await using home = tempFolder();
  const env = { HOME: home.path, USERPROFILE: home.path, PATH: process.env["PATH"] };
  const on = { argv: ["node", "/m/bin.js"], execArgv: [], env, cwd: () => home.path } as unknown as NonNullable<
    Parameters<typeof changeHooks>[1]
  >; // what it uses
  const command = (host: string): string[] => ["hooks", "run", host];
  await changeHooks({ action: "install", program: "oarlock-memory", args: ["claude-code"], command }, on);
  const written = home.read(".claude/settings.json").replaceAll(/"[^"]* hooks run/g, '"npx -y @oarlock/memory hooks run');
  expect(jsonOf(root, "servers/memory/hooks/hooks.json")).toEqual(JSON.parse(written));
});

test("the list of plugins names a folder of each server", () => {
  const { plugins } = jsonOf(root, ".claude-plugin/marketplace.json") as { plugins: { source: string }[] };
  expect(plugins.map(({ source }) => source)).toEqual(SERVERS.map(({ name }) => `./servers/${name}`));
});
