// What command lines mean, and what is refused in which words.
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { readArguments } from "../src/arguments.ts";
import { orderOf, type Order } from "../src/order.ts";
import { Refusal } from "../src/refusal.ts";

const CWD = join("/", "somewhere");
const order = (...args: string[]): Order => orderOf(readArguments(args), { servers: ["filesystem", "git"], cwd: CWD });
const ALL = ["tool", "resource", "prompt"];
const DEFAULTS = { name: "notes", command: "notes", folder: "/somewhere/notes", kit: undefined, from: undefined, parts: ALL };

const MEANT: [args: string[], meaning: Partial<Order>][] = [
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

test.each(MEANT)("%j is understood", (args, meaning) => {
  expect(order(...args)).toEqual({ ...DEFAULTS, ...meaning });
});

test("a kit by path is found from the new folder too", async () => {
  await using folder = tempFolder({ "kit.tgz": "x", new: {} });
  for (const spec of ["kit.tgz", "./kit.tgz", "new/../kit.tgz", "file:kit.tgz", `file://${folder.at("kit.tgz")}`, folder.at("kit.tgz")]) {
    expect(orderOf({ name: "x", kit: spec }, { servers: [], cwd: folder.path }).kit).toBe(`file:${folder.at("kit.tgz")}`);
  }
});

const REFUSED: [args: string[], why: string][] = [
  [[], "Name the server: create-server NAME, or see create-server --help"],
  [["a", "b"], "Expected one name, got 2: a b"],
  [["a", "--form", "git"], "Unknown switch --form: there are --parts, --from, --kit, --dir, --yes, --help, --version"],
  [["a", "-x"], "Unknown switch -x: there are --parts, --from, --kit, --dir, --yes, --help, --version"],
  [["a", "--from"], "--from needs a value: see create-server --help"],
  [["a", "--from", "--yes"], "--from needs a value: see create-server --help"],
  [["a", "--kit="], "--kit needs a value: see create-server --help"],
  [["a", "--yes=no"], '--yes takes no value, got "no"'],
  [["a", "--dir", "x", "--dir", "y"], "--dir stands twice: give it once"],
  [["a", "--from", "svn"], '--from expects one of filesystem, git; got "svn"'],
  [["a", "--from", "git", "--parts", "tool"], "A copy has all its parts: leave out --parts or --from"],
  [["a", "--parts", "tools"], '--parts expects some of tool,resource,prompt; got "tools"'],
  [["a", "--parts", ","], "--parts expects at least one of tool,resource,prompt"],
  [["a/b", "--dir", "x"], 'With --dir, NAME is the name of a package; got the path "a/b"'],
  [["a", "--kit", "./none.tgz"], "--kit names a file that is not there: ./none.tgz"],
];

test.each(REFUSED)("%j is refused with code 2", (args, why) => {
  expect(() => order(...args)).toThrow(new Refusal(2, why));
});

test.each(["My-Server", "_x", ".x", "..", "a b", "@me", "@me/", "@/x", "../..", "é", "x/node_modules", "a\n", "x".repeat(215)])(
  "%j is no name for a package",
  (name) => expect(() => orderOf({ name }, { servers: [], cwd: "/" })).toThrow(/is no name for a package: use small letters/),
);

test("switches that npm kept to itself are told of", () => {
  const why = "npm kept --from to itself: put -- in front of the switches, as in npm create @oarlock/server NAME -- --from …";
  const env = { npm_config_user_agent: "npm/11.6.0 node/v24.21.0", npm_config_from: "true" };
  for (const args of [["notes"], ["notes", "git"]]) expect(() => readArguments(args, env)).toThrow(new Refusal(2, why));
  expect(readArguments(["notes", "--from", "git"], env)).toEqual({ name: "notes", from: "git" });
});

test.each([[["--help"]], [["-h", "--nonsense"]], [["a", "b", "--from", "--help"]]])("%j asks for help, whatever else is wrong", (args) => {
  expect(readArguments(args)).toEqual({ help: true });
});
