/** Tests what doctor says of the entries of hosts that it does not start. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cursor, doctorSetUp, homeVariables } from "./support/doctor-set-up.ts";
import { run } from "./support/sample-in-memory.ts";

const { homeWith, failures } = doctorSetUp(run);

describe("hosts", () => {
  test.each([
    ["a command that is missing", cursor({ command: "/nowhere/sample" }), "which was not found"],
    ["no command", cursor({}), "has no command"],
    ["arguments in one text", cursor({ command: "node", args: "sample" }), "not a list"],
    ["the key of another host", JSON.stringify({ servers: { sample: { command: "node" } } }), 'under "servers"'],
    ["broken JSON", '{"mcpServers": {\n "sample" {', "is not valid JSON at line 2"],
  ])("names an entry with %s", async (_, content, message) => {
    const checks = await failures([], homeWith({ ".cursor/mcp.json": content }));
    expect(checks).toMatchObject([{ name: "host Cursor", message: expect.stringContaining(message) }]);
  });

  test("reads the file of each host on this platform", async () => {
    const settings =
      process.platform === "darwin" ? "Library/Application Support" : process.platform === "win32" ? "AppData/Roaming" : ".config";
    const entry = { sample: { command: "/nowhere/sample" } };
    const home = homeWith({
      [`${settings}/Claude/claude_desktop_config.json`]: JSON.stringify({ mcpServers: entry }),
      ".claude.json": JSON.stringify({ projects: { "/a": { mcpServers: entry } } }),
      [`${settings}/Code/User/mcp.json`]: `{ // with a comment\n "servers": ${JSON.stringify(entry)}, }`,
      ".codex/config.toml": '[mcp_servers.sample]\ncommand = "/nowhere/sample"\n',
      ".gemini/settings.json": JSON.stringify({ mcpServers: entry }),
      ".config/zed/settings.json": JSON.stringify({ context_servers: entry }),
      ".codeium/windsurf/mcp_config.json": JSON.stringify({ mcpServers: entry }),
    });
    const names = (await failures([], home)).map(({ name }) => name);
    const hosts = ["Claude Desktop", "Claude Code", "VS Code", "Codex", "Gemini CLI", "Zed", "Windsurf"];
    expect(names).toEqual((process.platform === "win32" ? hosts.filter((host) => host !== "Zed") : hosts).map((host) => `host ${host}`));
  });

  test("warns of a trailing comma or a comment, unless the host accepts it", async () => {
    const entry = JSON.stringify({ sample: { disabled: true, command: "sample" } });
    const home = homeWith({
      ".cursor/mcp.json": `{\n "mcpServers": ${entry},\n}`,
      ".gemini/settings.json": `{ "mcpServers": ${entry}, "a": "// , }",\n // hello\n "b": 1 }`,
      ".vscode/mcp.json": `{ "servers": ${entry}, }`,
    });
    const { stdout } = await run(["doctor"], { env: homeVariables(home), cwd: home });
    expect(stdout).toMatch(/^warning host Cursor: .* has a trailing comma at line 2, /m);
    expect(stdout).toMatch(/^warning host Gemini CLI: .* has a comment at line 2, /m);
    expect(stdout).toMatch(/^ok {5}host VS Code: .* has a trailing comma at line 1, .* VS Code accepts it\.$/m);
    expect(stdout).toContain("No check of sample failed: 2 warnings.");
  });

  test("starts nothing from a project", async () => {
    const home = homeWith({
      ".mcp.json": cursor({ command: process.execPath, args: ["-e", "require('fs').writeFileSync('started', '')"] }),
    });
    expect(await failures([], home)).toEqual([]);
    expect(existsSync(join(home, "started"))).toBe(false);
  });

  test("starts no server of another author for a folder of this name", async () => {
    const script = "require('fs').writeFileSync('started', '')";
    const home = homeWith({ ".cursor/mcp.json": cursor({ command: process.execPath, args: ["-e", script, "/data/sample"] }, "files") });
    expect(await failures([], home)).toEqual([]);
    expect(existsSync(join(home, "started"))).toBe(false);
  });

  test("names JSON with unquoted names, also when the host accepts comments", async () => {
    expect(await failures([], homeWith({ ".vscode/mcp.json": "{\n// my servers\nservers: {} }" }))).toMatchObject([
      { name: "host VS Code", message: expect.stringContaining("is not valid JSON at line 3: VS Code starts none") },
    ]);
  });
});
