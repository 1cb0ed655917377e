/** Tests how doctor reads the entries of hosts: which are its own, what they hold secret, and the command that checks them. */
import { expect, test } from "vitest";
import { serverArguments } from "../src/doctor/hosts/entry-arguments.ts";
import { withoutSecrets } from "../src/doctor/hosts/entry-secrets.ts";
import { namesServer } from "../src/doctor/hosts/host-entries.ts";
import { strictJson } from "../src/doctor/hosts/json-laxness.ts";
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

test("finds a server whose name has characters of a pattern", () => {
  expect(namesServer("any", { command: "c++-server" }, "c++-server")).toBe(true);
  expect(namesServer("any", { command: "axb" }, "a.b")).toBe(false);
});

const siblingCommand = (command: string, args: string[], isOfProject: boolean): string =>
  siblingEntry(
    { host: "Cursor", path: "/f", format: "json", key: "mcpServers", isOfProject, acceptsComments: false },
    { server: GIT, name: "git", key: "mcpServers", value: { command, args } },
    undefined,
  ).command;

test.skipIf(process.platform === "win32")("quotes the command of a sibling, and takes none from a project", () => {
  const node = process.execPath;
  expect(siblingCommand(node, ["$(touch x)/it's/oarlock-git", "a"], false)).toBe(`${node} '$(touch x)/it'\\''s/oarlock-git' doctor`);
  expect(siblingCommand(node, ["/opt/oarlock-git"], true)).toBe("oarlock-git doctor");
});

test.each([
  ["one value that begins another", { A: "secret", B: "secret-and-more" }, "secret-and-more secret", "*** ***"],
  ["a short value whose name says it", { PIN_TOKEN: "abc", LEVEL: "1" }, "abc 1", "*** 1"],
  ["a quoted value", { A: 'sec"ret' }, JSON.stringify({ a: 'sec"ret' }), '{"a":"***"}'],
  ["a value that was cut", { A: "x".repeat(200) }, `"${"x".repeat(100)}…"`, '"***…"'],
  ["a value of several lines", { A: "first line\nsecond line" }, "first line second line", "*** ***"],
  ["a path", { DB_FILE: "/data/a.db" }, "/data/a.db", "/data/a.db"],
])("leaves no part of %s", (_, values, text, shown) => {
  expect(withoutSecrets(text, values)).toBe(shown);
});

test.each([
  ['{"a": "// no, }"}', undefined],
  ['{"a": 1, // one\n}', { line: 1, problem: "a trailing comma" }],
  ['{"a":\n/* x\n */ 1}', { line: 2, problem: "a comment" }],
])("takes comments and trailing commas out of %j", (text, laxness) => {
  const strict = strictJson(text);
  expect(strict.laxness).toEqual(laxness);
  expect(() => JSON.parse(strict.json) as unknown).not.toThrow();
});
