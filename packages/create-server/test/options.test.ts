// Command lines and the options they stand for, and the errors of wrong ones.
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { parseArguments } from "../src/arguments.ts";
import { resolveOptions, type Options } from "../src/options.ts";
import { CommandError } from "../src/command-error.ts";

const CWD = join("/", "somewhere");
const order = (...args: string[]): Options => resolveOptions(parseArguments(args), { servers: ["filesystem", "git"], cwd: CWD });
const ALL = ["tool", "resource", "prompt"];
const DEFAULTS = { name: "notes", command: "notes", folder: "/somewhere/notes", kit: undefined, from: undefined, parts: ALL };

const VALID: [args: string[], meaning: Partial<Options>][] = [
  [["notes"], {}],
  [["--yes"], { name: "my-server", command: "my-server", folder: "/somewhere/my-server" }],
  [["-y", "notes"], {}],
  [["--", "notes"], {}],
  [["@me/notes"], { name: "@me/notes" }],
  [["./deep/notes"], { folder: "/somewhere/deep/notes" }],
  [["deep/notes"], { folder: "/somewhere/deep/notes" }],
  [["/abs/notes"], { folder: "/abs/notes" }],
  [["."], { name: "somewhere", command: "somewhere", folder: "/somewhere" }],
  [["notes", "--dir", "x/y"], { folder: "/somewhere/x/y" }],
  [["@me/notes", "--dir=/x"], { name: "@me/notes", folder: "/x" }],
  [["notes", "--parts", "tool"], { parts: ["tool"] }],
  [["notes", "--parts=prompt,tool"], { parts: ["tool", "prompt"] }],
  [["--from", "git", "notes"], { from: "git" }],
  [["notes", "--kit", "^1.2.0"], { kit: "^1.2.0" }],
  [["notes", "--kit", "next"], { kit: "next" }],
  [["notes", "--kit=https://x.example/kit.tgz"], { kit: "https://x.example/kit.tgz" }],
];

test.each(VALID)("reads %j", (args, meaning) => {
  expect(order(...args)).toEqual({ ...DEFAULTS, ...meaning });
});

test("resolves the path of a kit against the current folder", async () => {
  await using folder = tempFolder({ "kit.tgz": "x", new: {} });
  for (const spec of ["kit.tgz", "./kit.tgz", "new/../kit.tgz", "file:kit.tgz", `file://${folder.at("kit.tgz")}`, folder.at("kit.tgz")]) {
    expect(resolveOptions({ name: "x", kit: spec }, { servers: [], cwd: folder.path }).kit).toBe(`file:${folder.at("kit.tgz")}`);
  }
});

test("finds the kit in a folder of tarballs", async () => {
  const packed = { "oarlock-server-kit-0.1.0.tgz": "x", "oarlock-cli-0.1.0.tgz": "x" };
  await using folder = tempFolder({ packed, none: { "oarlock-cli-0.1.0.tgz": "x" } });
  const kitOf = (spec: string) => resolveOptions({ name: "x", kit: spec }, { servers: [], cwd: folder.path }).kit;
  for (const spec of ["packed", "./packed/", folder.at("packed")]) {
    expect(kitOf(spec)).toBe(`file:${folder.at("packed/oarlock-server-kit-0.1.0.tgz")}`);
  }
  expect(() => kitOf("none")).toThrow("expected one oarlock-server-kit-*.tgz in the folder none, found none.");
  expect(kitOf("next")).toBe("next");
});

const REFUSED: [args: string[], why: string][] = [
  [[], "Missing name: call create-server NAME, or see create-server --help."],
  [["a", "b"], "Too many names: expected one, received 2: a b."],
  [["a", "--form", "git"], "Unknown switch --form: expected one of --parts, --from, --kit, --dir, --yes, --help, --version."],
  [["a", "-x"], "Unknown switch -x: expected one of --parts, --from, --kit, --dir, --yes, --help, --version."],
  [["a", "--from"], "Missing value of --from: see create-server --help."],
  [["a", "--from", "--yes"], "Missing value of --from: see create-server --help."],
  [["a", "--kit="], "Missing value of --kit: see create-server --help."],
  [["a", "--yes=no"], 'Unexpected value of --yes: expected none, received "no".'],
  [["a", "--dir", "x", "--dir", "y"], "Duplicate switch --dir: give it once."],
  [["a", "--from", "svn"], 'Invalid value of --from: expected one of filesystem, git, received "svn".'],
  [["a", "--from", "git", "--parts", "tool"], "Conflicting switches --from and --parts: a copy has all its parts. Remove one of them."],
  [["a", "--parts", "tools"], 'Invalid value of --parts: expected some of tool,resource,prompt, received "tools".'],
  [["a", "--parts", ","], "Empty value of --parts: expected at least one of tool,resource,prompt."],
  [["a/b", "--dir", "x"], 'Conflicting paths: with --dir, NAME is the name of a package. Received the path "a/b".'],
  [["a", "--kit", "./none.tgz"], "Invalid value of --kit: the file ./none.tgz does not exist."],
];

test.each(REFUSED)("refuses %j with code 2", (args, why) => {
  expect(() => order(...args)).toThrow(new CommandError(2, why));
});

test.each(["My-Server", "_x", ".x", "..", "a b", "@me", "@me/", "@/x", "../..", "é", "x/node_modules", "a\n", "x".repeat(215)])(
  "refuses the package name %j",
  (name) => expect(() => resolveOptions({ name }, { servers: [], cwd: "/" })).toThrow(/^Invalid package name "/),
);

test("names switches that npm consumed", () => {
  const why = "Switch --from was consumed by npm: put -- before the switches, as in npm create @oarlock/server NAME -- --from …";
  const env = { npm_config_user_agent: "npm/11.6.0 node/v24.21.0", npm_config_from: "true" };
  for (const args of [["notes"], ["notes", "git"]]) expect(() => parseArguments(args, env)).toThrow(new CommandError(2, why));
  expect(parseArguments(["notes", "--from", "git"], env)).toEqual({ name: "notes", from: "git" });
});

test.each([[["--help"]], [["-h", "--nonsense"]], [["a", "b", "--from", "--help"]]])("prints help for %j despite other errors", (args) => {
  expect(parseArguments(args)).toEqual({ help: true });
});
