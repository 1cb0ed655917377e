/** Tests where doctor looks for the files of hosts, on each operating system. */
import { expect, test } from "vitest";
import { hostFiles } from "../src/doctor/hosts/host-files.ts";
import { unreadEntries } from "../src/doctor/hosts/packaged-host.ts";
import { expandVariables } from "../src/doctor/hosts/host-variables.ts";

/** The files by host, without those of the project. */
function placesOn(platform: NodeJS.Platform, env: Record<string, string>, list?: (folder: string) => string[]): Record<string, string[]> {
  const files = hostFiles({ env, platform, folder: "/project", ...(list !== undefined && { list }) });
  const places: Record<string, string[]> = {};
  for (const { host, path } of files.filter(({ isOfProject }) => !isOfProject)) (places[host] ??= []).push(path);
  return places;
}

test.each([
  [
    "linux",
    { HOME: "/home/ada" },
    {
      "Claude Desktop": ["/home/ada/.config/Claude/claude_desktop_config.json"],
      "Claude Code": ["/home/ada/.claude.json"],
      "VS Code": ["/home/ada/.config/Code/User/mcp.json"],
      "VS Code Insiders": ["/home/ada/.config/Code - Insiders/User/mcp.json"],
      Cursor: ["/home/ada/.cursor/mcp.json"],
      Codex: ["/home/ada/.codex/config.toml"],
      "Gemini CLI": ["/home/ada/.gemini/settings.json"],
      Zed: ["/home/ada/.config/zed/settings.json"],
      Windsurf: ["/home/ada/.codeium/windsurf/mcp_config.json"],
      "Devin Desktop": ["/home/ada/.config/devin/mcp_config.json"],
    },
  ],
  [
    "darwin",
    { HOME: "/Users/ada", XDG_CONFIG_HOME: "/xdg", CODEX_HOME: "/codex", CLAUDE_CONFIG_DIR: "/claude" },
    {
      "Claude Desktop": ["/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"],
      "Claude Code": ["/claude/.claude.json"],
      "VS Code": ["/Users/ada/Library/Application Support/Code/User/mcp.json"],
      Cursor: ["/Users/ada/.cursor/mcp.json"],
      Codex: ["/codex/config.toml"],
      Zed: ["/Users/ada/.config/zed/settings.json"],
      "Devin Desktop": ["/xdg/devin/mcp_config.json"],
    },
  ],
  [
    "win32",
    { HOME: "/c/Users/ada", UserProfile: String.raw`C:\Users\ada`, AppData: String.raw`D:\Roaming` },
    {
      "Claude Desktop": [String.raw`D:\Roaming\Claude\claude_desktop_config.json`],
      "Claude Code": [String.raw`C:\Users\ada\.claude.json`],
      "VS Code": [String.raw`D:\Roaming\Code\User\mcp.json`],
      Cursor: [String.raw`C:\Users\ada\.cursor\mcp.json`],
      Codex: [String.raw`C:\Users\ada\.codex\config.toml`],
      "Gemini CLI": [String.raw`C:\Users\ada\.gemini\settings.json`],
      Zed: [String.raw`D:\Roaming\Zed\settings.json`],
      Windsurf: [String.raw`C:\Users\ada\.codeium\windsurf\mcp_config.json`],
      "Devin Desktop": [String.raw`D:\Roaming\devin\mcp_config.json`],
    },
  ],
] as const)("finds the settings of hosts on %s", (platform, env, expected) => {
  expect(placesOn(platform, env)).toMatchObject(expected);
});

test("puts the file of a packaged Claude Desktop before the plain one, which names it", () => {
  const env = { USERPROFILE: String.raw`C:\Users\ada` };
  const local = String.raw`C:\Users\ada\AppData\Local\Packages`;
  const list = (folder: string): string[] => (folder === local ? ["Claude_pzs8sxrjxfjjc", "Claudette_1", "Microsoft.Code_1"] : []);
  const packaged = String.raw`${local}\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude\claude_desktop_config.json`;
  const plain = String.raw`C:\Users\ada\AppData\Roaming\Claude\claude_desktop_config.json`;
  expect(placesOn("win32", env, list)["Claude Desktop"]).toEqual([packaged, plain]);
  const [first, second] = hostFiles({ env, platform: "win32", folder: "C:\\", list });
  expect([first?.readInstead, second?.readInstead]).toEqual([undefined, packaged]);
  expect(hostFiles({ env, platform: "win32", folder: "C:\\", list: () => [] })[0]).not.toHaveProperty("readInstead");
});

test("names an entry that only another installation's file has", () => {
  const [packaged, plain] = hostFiles({
    env: { LocalAppData: "C:\\L", AppData: "C:\\R" },
    platform: "win32",
    folder: "C:\\",
    list: () => ["Claude_x"],
  });
  if (packaged === undefined || plain === undefined) throw new Error("Files of Claude Desktop are missing");
  const entry = { name: "notes" };
  const [unread] = unreadEntries([{ file: plain, entry }]);
  expect(unread?.message).toMatch(
    /^Entry "notes" is only in C:\\R\\Claude\\.* reads C:\\L\\Packages\\Claude_x\\.*: add the entry there\.$/,
  );
  expect(unreadEntries([{ file: packaged, entry }])).toEqual([]);
  const inBoth = [packaged, plain].map((file) => ({ file, entry }));
  expect(unreadEntries(inBoth)).toEqual([]);
});

test("expands the variables of hosts as the system does", () => {
  const env = { HOME: "/h", UserProfile: String.raw`C:\h`, Notes: "n" };
  expect(expandVariables("${userHome}${/}${env:NOTES}${NOTES:-none}", env, "win32")).toBe(String.raw`C:\h\nn`);
  expect(expandVariables("${userHome}${pathSeparator}${env:NOTES}${NOTES:-none}", env, "linux")).toBe("/h/none");
  expect(expandVariables("${workspaceFolder}", env, "linux")).toBeUndefined();
});
