/** Checks each command of the pages: scripts, files and packages exist, and the built servers and the client accept the switches. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../../packages/client/src/command/arguments.ts";
import { root } from "../src/examples.ts";
import { allBlocks, named } from "./read-blocks.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }; // our own

/** Packages of others that pages start with npx. */
const OTHER_PACKAGES = new Set(["@modelcontextprotocol/inspector"]);
/** The command of a server. */
const SERVER = /^(?:oarlock-|@oarlock\/|(?:.*\/)?servers\/)(filesystem|git|sqlite|memory)(?:\/dist\/bin\.js)?$/;
/** The first word of a command that does not serve. */
const COMMANDS = new Set(["doctor", "import", "export", "verify", "compact"]);

/** Commands of blocks: the lines of `sh`, and those behind `$ ` in `text`. */
const commands = allBlocks()
  .filter(({ language }) => language === "sh" || language === "text")
  .flatMap((block) =>
    logicalLines(block.text)
      .flatMap((line) => (block.language === "sh" ? [line] : line.startsWith("$ ") ? [line.slice(2)] : []))
      .map((line) =>
        line
          .replace(/(?:^|\s+)#.*$/, "")
          .replace(/^(?:[A-Z_]+=\S+ )+/, "")
          .trim(),
      )
      .filter((line) => line !== "")
      .map((line) => [named(block), line] as const),
  );

/** Lines of a shell: a backslash at the end, and a quote that is open, continue on the next line. */
function logicalLines(text: string): string[] {
  return text
    .replaceAll("\\\n", " ")
    .replaceAll(/(?<=\s)'[^'\n]*\n[^']*'(?=\s|$)/g, (quoted) => quoted.replaceAll(/\n\s*/g, " "))
    .split("\n");
}

/** The words of a simple command: blanks separate, quotes hold together. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));

test.each(commands)("%s: the command `%s` exists", (_name, line) => {
  // A machine without pnpm runs the pinned version through npx.
  const [program = "", ...args] = wordsOf(line.replace(/^npx -y pnpm@[\d.]+ /, "pnpm "));
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  const script = first === "run" ? second : first;
  if (program === "npm" && first === "install")
    expect(args.filter((arg) => arg.startsWith("@oarlock/")).filter((arg) => !isPackage(arg))).toEqual([]);
  else if (program === "npm" && first !== "create") expect([...Object.keys(scripts), "publish", "pack"]).toContain(script);
  else if (program === "pnpm" && !["install", "exec", "format"].includes(first)) expect(Object.keys(scripts)).toContain(script);
  else if (program === "node") expect(existsSync(join(root, first.replace(/dist\/(.*)\.js$/, "src/$1.ts")))).toBe(true);
  else if (program === "npx" || program === "npm") expect(isPackage(first === "create" ? second : first)).toBe(true);
  else if (program.startsWith("oarlock-")) expect(isPackage(program.replace("oarlock-", "@oarlock/"))).toBe(true);
  else expect(["git", "cd", "pnpm", "claude", "codex", "gemini", "ollama", "export", "openssl", "touch", "curl"]).toContain(program);
});

/** Servers with their words, wherever they stand in a line; each once, with the first block that has it. */
const starts = new Map<string, readonly [name: string, server: string, words: readonly string[]]>();
for (const [name, line] of commands) {
  const words = wordsOf(line);
  const at = words[0] === "npm" ? -1 : words.findIndex((word) => SERVER.test(word));
  const [, server] = SERVER.exec(words[at] ?? "") ?? [];
  if (server === undefined || COMMANDS.has(words[at + 1] ?? "")) continue;
  const key = [server, ...words.slice(at + 1)].join(" ");
  if (!starts.has(key)) starts.set(key, [name, server, words.slice(at + 1)]);
}

/** A server that prints the entry of a host has checked its switches, and opens nothing. */
async function outcomeOf(server: string, words: readonly string[]): Promise<{ status: number | null; stderr: string }> {
  await using folder = tempFolder();
  const args = [join(root, "servers", server, "dist/bin.js"), ...words, "--print-config", "json"];
  const env = { PATH: process.env["PATH"], HOME: folder.path, OARLOCK_STATE_KEY: "0".repeat(64) };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder.path, env, encoding: "utf8" });
  return { status, stderr };
}

test.each([...starts.values()])("%s: %s accepts %j", async (_name, server, words) => {
  const { status, stderr } = await outcomeOf(server, words);
  expect(status, stderr).toBe(0);
});

test("a server refuses a switch that it does not have", async () => {
  expect(new Set([...starts.values()].map(([, server]) => server)).size).toBe(4);
  expect((await outcomeOf("git", [".", "--read-write"])).status).toBe(2);
});

const calls = commands.flatMap(([name, line]) => {
  const words = wordsOf(line);
  const at = words.findIndex((word) => word === "@oarlock/client" || word === "oarlock-client");
  return at === -1 ? [] : [[name, words.slice(at + 1)] as const];
});

test.each(calls)("%s: the client accepts %j", (_name, words) => {
  expect(parseCommandLine(words)).toMatchObject({ action: {} });
});

function isPackage(name: string): boolean {
  if (OTHER_PACKAGES.has(name)) return true;
  const [, folder = name.replace(/^@oarlock\//, "")] = /^@oarlock\/(.+?)(?:@.*)?$/.exec(name) ?? [];
  return ["packages", "servers"].some((kind) => existsSync(join(root, kind, folder)) || existsSync(join(root, kind, `create-${folder}`)));
}
