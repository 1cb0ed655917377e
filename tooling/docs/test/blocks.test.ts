/** Checks each code block of a README: an example block equals its file, TypeScript compiles, JSON parses, commands exist. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entries } from "../api.ts";
import { exampleFile, EXAMPLES, root } from "../src/examples.ts";
import { blocksOf, type Block } from "./read-blocks.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const scratch = join(here, ".cache/blocks");

const texts = globSync(["*.md", "{packages,servers}/*/*.md", "packages/*/examples/*.md", ".changeset/*.md"], { cwd: root }).toSorted();
const blocks: Block[] = texts.flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8")));
const of = (...languages: string[]): Block[] => blocks.filter(({ language }) => languages.includes(language));
const named = ({ file, line }: Block): string => `${file}:${line}`;

test("finds blocks, all in known languages", () => {
  expect(blocks.length).toBeGreaterThan(20);
  expect([...new Set(blocks.map(({ language }) => language))].filter((language) => !KNOWN.has(language))).toEqual([]);
});

/** Exported names that are values, not only types. */
const values = new Set(
  entries().flatMap(({ declared }) =>
    declared.filter(({ type }) => /^(async )?(function|const|class|abstract)/.test(type)).map(({ name }) => name),
  ),
);

/** A block without a language is plain text, such as a conversation. */
const KNOWN = new Set(["ts", "ts example", "ts declaration", "json", "sh", "", "toml", "diff", "markdown"]);

describe("TypeScript", () => {
  const free = of("ts", "ts example").filter(({ example }) => example === undefined);
  let output = "";

  beforeAll(() => {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { recursive: true });
    free.forEach((block, at) => writeFileSync(join(scratch, `block-${at}.ts`), `${importsOf(block)}${block.text}\nexport {};\n`));
    const include = ["*.ts", "../../test/*.d.ts"];
    writeFileSync(
      join(scratch, "tsconfig.json"),
      JSON.stringify({ extends: "../../../../tsconfig.base.json", compilerOptions: { noEmit: true, noUnusedLocals: false }, include }),
    );
    const { stdout, stderr } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", scratch], { encoding: "utf8" });
    output = stdout + stderr;
  }, 60_000);

  afterAll(() => rmSync(join(here, ".cache"), { recursive: true, force: true }));

  test.each(free.map((block, at) => [named(block), at] as const))("%s compiles", (_name, at) => {
    expect(output.split("\n").filter((line) => line.includes(`block-${at}.ts`))).toEqual([]);
  });

  test("the compiler reports no other error", () => {
    expect(output.split("\n").filter((line) => line.includes("error") && !/block-\d+\.ts/.test(line))).toEqual([]);
  });

  const examples = of("ts").filter(({ example }) => example !== undefined);
  test.each(examples.map((block) => [named(block), block] as const))(
    "%s equals the example file that it names",
    (_name, { example = "", text }) => {
      expect(text).toBe(readFileSync(exampleFile(example), "utf8"));
    },
  );

  test("READMEs of published packages import published packages only", () => {
    const manifests = globSync("{packages,servers}/*/package.json", { cwd: root }).map((file) => {
      const { name, private: hidden } = JSON.parse(readFileSync(join(root, file), "utf8")) as { name: string; private?: boolean }; // our own
      return { readme: file.replace("package.json", "README.md"), name, hidden: hidden === true };
    });
    const hidden = manifests.flatMap((one) => (one.hidden ? [one.name] : []));
    const publishedBlocks = of("ts").filter(({ file }) => manifests.some((one) => one.readme === file && !one.hidden));
    expect(publishedBlocks.filter(({ text }) => hidden.some((name) => text.includes(`"${name}`))).map(named)).toEqual([]);
  });

  test("the README of each examples folder links every file", () => {
    const linked = globSync("packages/*/examples/README.md", { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/^\| \[[^\]]+\]\((\S+)\)/gm)].map(([, name = ""]) => join(dirname(file), name)),
    );
    expect(linked.toSorted()).toEqual([...EXAMPLES.values()].toSorted());
  });
});

test.each(of("json").map((block) => [named(block), block] as const))("%s is JSON", (_name, { text }) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});

/** The imports of an example in a comment, which the comment leaves out. The first entry that exports a name provides it. */
function importsOf({ language, text }: Block): string {
  if (language !== "ts example") return "";
  const imported = new Set<string>();
  const lines = entries().flatMap(({ from, declared }) => {
    const used = new Set(declared.map(({ name }) => name).filter((name) => new RegExp(`(?<![.\\w"])${name}\\b(?!:)`).test(text)));
    const missing = [...used].filter((name) => !imported.has(name));
    for (const name of missing) imported.add(name);
    if (missing.length === 0) return [];
    return [`import { ${missing.map((name) => (values.has(name) ? name : `type ${name}`)).join(", ")} } from "${from}";`];
  });
  const zod = text.includes("fromZodMini") ? "zod/mini" : "zod";
  return [
    ...lines,
    /\bz\./.test(text) ? `import * as z from "${zod}";` : "",
    /\bcreateServer\(\(/.test(text) ? 'import { createServer } from "node:http";' : "",
  ].join("\n");
}

/** Commands of a README: scripts of `npm` and `pnpm` exist; `node` and `npx` name a file or package of this repository. */
const commands = of("sh").flatMap((block) =>
  block.text
    .split("\n")
    .map((line) => line.replace(/\s#.*$/, "").trim())
    .filter((line) => line !== "")
    .map((line) => [named(block), line] as const),
);
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }; // our own

test.each(commands)("%s: the command `%s` exists", (_name, line) => {
  // A machine without pnpm runs the pinned version through npx.
  const [program = "", ...args] = line.replace(/^npx -y pnpm@[\d.]+ /, "pnpm ").split(/\s+/);
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  const script = first === "run" ? second : first;
  if (program === "npm" && first !== "create" && first !== "install") expect(Object.keys(scripts)).toContain(script);
  else if (program === "pnpm" && !["install", "exec", "format"].includes(first)) expect(Object.keys(scripts)).toContain(script);
  else if (program === "node") expect(existsSync(join(root, first.replace(/dist\/(.*)\.js$/, "src/$1.ts")))).toBe(true);
  else if (program === "npm" && first === "install") expect(args).toEqual(["install"]);
  else if (program === "npx" || program === "npm") expect(isPackage(first === "create" ? second : first)).toBe(true);
  else if (program.startsWith("oarlock-")) expect(isPackage(program.replace("oarlock-", "@oarlock/"))).toBe(true);
  else expect(["git", "cd", "pnpm", "claude", "codex", "gemini", "ollama"]).toContain(program);
});

/** Packages of others that READMEs start with npx. */
const OTHER_PACKAGES = new Set(["@modelcontextprotocol/inspector"]);

function isPackage(name: string): boolean {
  if (OTHER_PACKAGES.has(name)) return true;
  const [, folder = name.replace(/^@oarlock\//, "")] = /^@oarlock\/(.+?)(?:@.*)?$/.exec(name) ?? [];
  return ["packages", "servers"].some((kind) => existsSync(join(root, kind, folder)) || existsSync(join(root, kind, `create-${folder}`)));
}
