/** Tests how doctor reads the entries of hosts: which are its own, what they hold secret, and the command that checks them. */
import { expect, test } from "vitest";
import { serverArguments } from "../src/doctor/hosts/entry-arguments.ts";
import { withoutSecrets } from "../src/doctor/hosts/entry-secrets.ts";
import { pathSplitByCmd } from "../src/doctor/hosts/cmd-words.ts";
import { namesServer } from "../src/doctor/hosts/host-entries.ts";
import { strictJson } from "../src/doctor/hosts/json-laxness.ts";
import { shellCommand } from "../src/doctor/hosts/shell-command.ts";
import { siblingEntry } from "../src/doctor/hosts/sibling-entries.ts";

const GIT = "oarlock-git";

test.each<[command: string, args: string[], own: string[] | undefined]>([
  ["oarlock-git", ["a"], ["a"]],
  ["/opt/oarlock-git", ["a"], ["a"]],
  ["npx", ["-y", "@oarlock/git@1", "a"], ["a"]],
  ["npx", ["-y", "--package", "@oarlock/other", "oarlock-git", "a"], ["a"]],
  ["cmd", ["/c", "npx", "-y", "@oarlock/git", "a"], ["a"]],
  ["node", ["--conditions", "x", "/data/servers/git/dist/bin.js", "a"], ["a"]],
  ["pnpm", ["dlx", "@oarlock/git"], []],
  ["npx", ["-y", "@other/filesystem", "/data/oarlock/git"], undefined],
  ["other", ["oarlock-git"], undefined],
])("finds the server in an entry: %s %j", (command, args, own) => {
  expect(namesServer("any", { command, args }, GIT)).toBe(own !== undefined);
  expect(serverArguments(command, args, GIT)).toEqual(own);
});

test("finds a server whose name contains characters of a pattern", () => {
  expect(namesServer("any", { command: "c++-server" }, "c++-server")).toBe(true);
  expect(namesServer("any", { command: "axb" }, "a.b")).toBe(false);
});

const siblingCommand = (command: string, args: string[], isOfProject = false): string =>
  siblingEntry(
    { host: "Cursor", path: "/f", format: "json", key: "mcpServers", isOfProject, acceptsComments: false },
    { server: GIT, name: "git", key: "mcpServers", value: { command, args } },
    { env: {}, platform: "linux" },
  ).command;

test("names the command of a sibling, and takes none from a project", () => {
  const node = process.execPath;
  expect(siblingCommand(node, ["/opt/oarlock-git", "a"])).toBe(`${node} /opt/oarlock-git doctor`);
  expect(siblingCommand("/nowhere/node", ["/opt/oarlock-git"])).toBe("oarlock-git doctor");
  expect(siblingCommand(node, ["/opt/oarlock-git"], true)).toBe("oarlock-git doctor");
});

const NODE = String.raw`C:\nodejs\node.exe`;

test.each<[words: [string, ...string[]], posix: string, windows: string, shell?: "PowerShell"]>([
  [["npx", "-y", "@oarlock/git@1.2", "doctor"], "npx -y @oarlock/git@1.2 doctor", "npx -y @oarlock/git@1.2 doctor"],
  [[NODE, "a b", "R&D"], `${NODE} 'a b' 'R&D'`, `${NODE} "a b" "R&D"`],
  [["$(touch x)/it's"], "'$(touch x)/it'\\''s'", "& '$(touch x)/it''s'", "PowerShell"],
  [["C:/Program Files/node.exe", "x"], "'C:/Program Files/node.exe' x", "& 'C:/Program Files/node.exe' x", "PowerShell"],
  [["npx", "100%"], "npx '100%'", "& npx '100%'", "PowerShell"],
  [["npx", "a,b", "it‘s"], "npx a,b 'it‘s'", 'npx "a,b" "it‘s"'],
  [["npx", "$x‘s"], "npx '$x‘s'", "& npx '$x‘‘s'", "PowerShell"],
  [["npx", "@a.b/c", "d e\\"], "npx @a.b/c 'd e\\'", "& npx '@a.b/c' 'd e\\'", "PowerShell"],
])("quotes %j for the shells of a system", (words, posix, windows, shell) => {
  for (const platform of ["linux", "darwin"] as const) expect(shellCommand(words, platform)).toEqual({ command: posix });
  expect(shellCommand(words, "win32")).toEqual({ command: windows, ...(shell !== undefined && { shell }) });
});

test.each<[program: string, args: string[], split: string | undefined]>([
  ["cmd", ["/c", "npx", "-y", "@oarlock/git", String.raw`C:\R&D`], String.raw`C:\R&D`],
  [String.raw`C:\Windows\System32\CMD.EXE`, ["/d", "/C", "npx", "a/b^c"], "a/b^c"],
  ["cmd", ["/c", "npx", String.raw`C:\R & D`, String.raw`C:\100%`, "&&", "2>nul"], undefined], // a host quotes words with blanks
  ["cmd", [String.raw`C:\R&D`], undefined],
  ["npx", ["/c", String.raw`C:\R&D`], undefined],
])("finds the path that cmd would split: %s %j", (program, args, split) => {
  expect(pathSplitByCmd(program, args)).toBe(split);
});

test.each([
  ["one value that begins another", { A: "secret", B: "secret-and-more" }, "secret-and-more secret", "*** ***"],
  ["a short value whose name says it", { PIN_TOKEN: "abc", LEVEL: "1" }, "abc 1", "*** 1"],
  ["a quoted value", { A: 'sec"ret' }, JSON.stringify({ a: 'sec"ret' }), '{"a":"***"}'],
  ["a value that was cut", { A: "x".repeat(200) }, `"${"x".repeat(100)}…"`, '"***…"'],
  ["a value of several lines", { A: "first line\nsecond line" }, "first line second line", "*** ***"],
  ["a path", { DB_FILE: "/data/a.db" }, "/data/a.db", "/data/a.db"],
])("leaves no part of %s", (_, values, text, expected) => {
  expect(withoutSecrets(text, values)).toBe(expected);
});

test.each([
  ['{"a": "// no, }"}', undefined],
  ['{"a": 1, // one\n}', { line: 1, problem: "a trailing comma" }],
  ['{"a":\n/* x\n */ 1}', { line: 2, problem: "a comment" }],
])("removes comments and trailing commas from %j", (text, laxness) => {
  const strict = strictJson(text);
  expect(strict.laxness).toEqual(laxness);
  expect(() => JSON.parse(strict.json) as unknown).not.toThrow();
});
