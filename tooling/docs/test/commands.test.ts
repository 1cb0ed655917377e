/** Checks each command of the pages: scripts, files and packages exist, and the client accepts the switches. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../../packages/client/src/command/arguments.ts";
import { EXAMPLES, root } from "../src/examples.ts";
import { commands, splitCommand } from "./read-commands.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }; // our own

/** Packages of others that pages start with npx. */
const OTHER_PACKAGES = new Set(["@modelcontextprotocol/inspector"]);

test.each(commands)("%s: the command `%s` exists", (_name, line) => {
  // A machine without pnpm runs the pinned version through npx.
  const [program = "", ...args] = splitCommand(line.replace(/^npx -y pnpm@[\d.]+ /, "pnpm "));
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  const script = first === "run" ? second : first;
  if (program === "npm" && first === "install")
    expect(args.filter((arg) => arg.startsWith("@oarlock/")).filter((arg) => !isPackage(arg))).toEqual([]);
  else if (program === "npm" && first !== "create") expect([...Object.keys(scripts), "publish", "pack", "audit"]).toContain(script);
  else if (program === "pnpm" && !["install", "exec", "format"].includes(first)) expect(Object.keys(scripts)).toContain(script);
  else if (program === "node") expect(isFile(first)).toBe(true);
  else if (program === "npx" || program === "npm") expect(isPackage(first === "create" ? second : first)).toBe(true);
  else if (program.startsWith("oarlock-")) expect(isPackage(program.replace("oarlock-", "@oarlock/"))).toBe(true);
  else
    expect(["git", "gh", "cd", "pnpm", "claude", "codex", "gemini", "ollama", "export", "openssl", "touch", "mkdir", "curl"]).toContain(
      program,
    );
});

const calls = commands.flatMap(([name, line]) => {
  const words = splitCommand(line);
  const at = words.findIndex((word) => word === "@oarlock/client" || word === "oarlock-client");
  return at === -1 ? [] : [[name, words.slice(at + 1)] as const];
});

test.each(calls)("%s: the client accepts %j", (_name, words) => {
  expect(parseCommandLine(words)).toMatchObject({ action: {} });
});

/** A file of the repository, of the scaffold's server, or an example that a reader keeps. */
function isFile(path: string): boolean {
  const source = path.replace(/dist\/(.*)\.js$/, "src/$1.ts");
  return (
    [root, join(root, "packages/create-server/template")].some((folder) => existsSync(join(folder, source))) ||
    EXAMPLES.has(path.replace(/\.ts$/, ""))
  );
}

function isPackage(name: string): boolean {
  if (OTHER_PACKAGES.has(name)) return true;
  const [, folder = name.replace(/^@oarlock\//, "")] = /^@oarlock\/(.+?)(?:@.*)?$/.exec(name) ?? [];
  return ["packages", "servers"].some((kind) => existsSync(join(root, kind, folder)) || existsSync(join(root, kind, `create-${folder}`)));
}
