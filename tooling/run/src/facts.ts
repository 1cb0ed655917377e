/**
 * Prints what differs between machines, and stores it in `.cache/report/facts.txt`: the first page to read when a run fails on one machine only.
 * It tries things out instead of concluding them from the name of the system, and needs no installation.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, homedir, release, tmpdir, totalmem, version } from "node:os";
import { delimiter, join } from "node:path";
import { machine } from "../platform.mjs";
import { root } from "../steps.mjs";

const REPORT = join(root, ".cache/report");

/** What a fact is, or why it is not known. */
function attempt(fact: () => unknown): string {
  try {
    return String(fact());
  } catch (error) {
    return `failed (${error instanceof Error ? error.message.trim().split("\n")[0] : String(error)})`;
  }
}

const output = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: "utf8", stdio: "pipe" }).trim();
const setting = (name: string): string => {
  try {
    return output("git", "config", "--show-scope", "--get-all", name).replaceAll(/\s+/g, " ");
  } catch {
    return "not set"; // git ends with 1 then
  }
};

/** Where a program is on the PATH: all of its places, since the first one may be a stand-in. */
function places(program: string): string {
  const names = ["", ".exe", ".cmd"].map((ending) => program + ending);
  const found = (process.env["PATH"] ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return found.filter((path) => existsSync(path)).join(", ") || "none";
}

function fileFacts(folder: string): [string, () => unknown][] {
  const at = (name: string): string => join(folder, name);
  const file = at("Caf\u{e9}.txt");
  writeFileSync(file, "");
  return [
    ["names ignore case", () => existsSync(at("CAF\u{c9}.TXT"))],
    ["names ignore composition", () => existsSync(at("Cafe\u{301}.txt"))],
    ["names are stored composed", () => readdirSync(folder).includes("Caf\u{e9}.txt")],
    ["name with a dot at the end", () => (writeFileSync(at("dot."), ""), readdirSync(folder).includes("dot.") ? "kept" : "dropped")],
    ["symbolic link", () => (symlinkSync(file, at("link")), "allowed")],
    ["hard link", () => (linkSync(file, at("hard")), "allowed")],
    ["mode 0600", () => (chmodSync(file, 0o600), (statSync(file).mode & 0o777).toString(8))],
    ["path of 400 characters", () => (mkdirSync(at(join("a".repeat(200), "b".repeat(200))), { recursive: true }), "allowed")],
    ["inode of a file", () => statSync(file, { bigint: true }).ino],
  ];
}

mkdirSync(REPORT, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "oarlock-facts-"));
const facts: [string, () => unknown][] = [
  ["machine", () => `${machine}, ${version()} ${release()}`],
  ["processors, memory", () => `${availableParallelism()}, ${Math.round(totalmem() / 2 ** 30)} GiB`],
  ["node", () => `${process.version} ${process.execPath}`],
  ["node on the PATH", () => places("node")],
  ["node of the project", () => output(join(root, "node_modules/node/bin/node"), "--version")],
  ["npm", () => places("npm")],
  ["git", () => `${output("git", "--version")}: ${places("git")}`],
  ...["core.autocrlf", "core.eol", "core.longpaths", "core.symlinks", "core.ignorecase", "core.precomposeunicode", "credential.helper"].map(
    (name): [string, () => unknown] => [name, () => setting(name)],
  ),
  ...["sh", "bash", "cmd", "powershell", "pwsh", "mkfifo", "taskkill", "ssh", "rg"].map((name): [string, () => unknown] => [
    name,
    () => places(name),
  ]),
  ["home", homedir],
  ["temporary folder", tmpdir],
  ["its real path", () => realpathSync.native(tmpdir())],
  ["user", () => process.getuid?.() ?? "no numbers"],
  ["locale, time zone", () => JSON.stringify(Intl.DateTimeFormat().resolvedOptions())],
  ...fileFacts(folder),
];
const text = facts.map(([name, fact]) => `${name}: ${attempt(fact)}`).join("\n");
rmSync(folder, { recursive: true, force: true });
writeFileSync(join(REPORT, "facts.txt"), `${text}\n`);
console.log(text);
