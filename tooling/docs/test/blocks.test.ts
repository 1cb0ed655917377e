/** Every code block of a README is one of the examples here, or compiles, or parses, or is a command that exists. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entries } from "../api.ts";
import { blocksOf, type Block } from "./read-blocks.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const root = join(here, "../..");
const scratch = join(here, ".cache/blocks");

const texts = globSync(["*.md", "{packages,servers}/*/*.md", ".changeset/*.md"], { cwd: root }).toSorted();
const blocks: Block[] = texts.flatMap((file) => blocksOf(file, readFileSync(join(root, file), "utf8")));
const of = (...languages: string[]): Block[] => blocks.filter(({ language }) => languages.includes(language));
const named = ({ file, line }: Block): string => `${file}:${line}`;

test("blocks are found, in the languages that this test knows", () => {
  expect(blocks.length).toBeGreaterThan(20);
  expect([...new Set(blocks.map(({ language }) => language))].filter((language) => !KNOWN.has(language))).toEqual([]);
});

/** An unnamed block is text to look at, such as a conversation; those are played by tests of their own. */
const taken = new Set<string>();
/** Names that stand for something at run time. */
const kinds = new Set(
  entries().flatMap(({ declared }) =>
    declared.filter(({ type }) => /^(async )?(function|const|class|abstract)/.test(type)).map(({ name }) => name),
  ),
);

const KNOWN = new Set(["ts", "ts example", "ts declaration", "json", "sh", "", "toml", "diff"]);

describe("TypeScript", () => {
  const free = of("ts", "ts example").filter(({ example }) => example === undefined);
  let complaints = "";

  beforeAll(() => {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { recursive: true });
    free.forEach((block, at) => writeFileSync(join(scratch, `block-${at}.ts`), `${importsOf(block)}${block.text}\nexport {};\n`));
    const include = ["*.ts", "../../test/given.d.ts"];
    writeFileSync(
      join(scratch, "tsconfig.json"),
      JSON.stringify({ extends: "../../../../tsconfig.base.json", compilerOptions: { noEmit: true, noUnusedLocals: false }, include }),
    );
    const { stdout, stderr } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", scratch], { encoding: "utf8" });
    complaints = stdout + stderr;
  }, 60_000);

  afterAll(() => rmSync(join(here, ".cache"), { recursive: true, force: true }));

  test.each(free.map((block, at) => [named(block), at] as const))("%s compiles", (_name, at) => {
    expect(complaints.split("\n").filter((line) => line.includes(`block-${at}.ts`))).toEqual([]);
  });

  test("the compiler had nothing else to say", () => {
    expect(complaints.split("\n").filter((line) => line.includes("error") && !/block-\d+\.ts/.test(line))).toEqual([]);
  });

  const examples = of("ts").filter(({ example }) => example !== undefined);
  test.each(examples.map((block) => [named(block), block] as const))("%s is the example that it names", (_name, { example, text }) => {
    expect(text).toBe(readFileSync(join(here, `src/${example}.ts`), "utf8"));
  });

  test("what is published teaches with what is published", () => {
    const manifests = globSync("{packages,servers}/*/package.json", { cwd: root }).map((file) => {
      const { name, private: hidden } = JSON.parse(readFileSync(join(root, file), "utf8")) as { name: string; private?: boolean }; // our own
      return { readme: file.replace("package.json", "README.md"), name, hidden: hidden === true };
    });
    const hidden = manifests.flatMap((one) => (one.hidden ? [one.name] : []));
    expect(hidden).toContain("@oarlock/client");
    const shown = of("ts").filter(({ file }) => manifests.some((one) => one.readme === file && !one.hidden));
    expect(shown.filter(({ text }) => hidden.some((name) => text.includes(`"${name}`))).map(named)).toEqual([]);
  });

  test("every example stands in a README", () => {
    const files = globSync("*.ts", { cwd: join(here, "src") }).map((file) => file.slice(0, -3));
    expect(new Set(examples.map(({ example }) => example))).toEqual(new Set(files));
  });
});

test.each(of("json").map((block) => [named(block), block] as const))("%s is JSON", (_name, { text }) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});

/** An example in a comment stands in the midst of what it shows: imports are understood. */
function importsOf({ language, text }: Block): string {
  if (language !== "ts example") return "";
  const lines = entries().flatMap(({ from, declared }) => {
    const used = new Set(declared.map(({ name }) => name).filter((name) => new RegExp(`(?<![.\\w"])${name}\\b(?!:)`).test(text)));
    const fresh = [...used].filter((name) => !taken.has(name));
    for (const name of fresh) taken.add(name);
    return fresh.length === 0
      ? []
      : [`import { ${fresh.map((name) => (kinds.has(name) ? name : `type ${name}`)).join(", ")} } from "${from}";`];
  });
  taken.clear();
  const zod = text.includes("fromZodMini") ? "zod/mini" : "zod";
  return [
    ...lines,
    /\bz\./.test(text) ? `import * as z from "${zod}";` : "",
    /\bcreateServer\(\(/.test(text) ? 'import { createServer } from "node:http";' : "",
  ].join("\n");
}

/** Commands of a README: `npm`, `npx pnpm` and `pnpm` scripts exist, `node` and `npx` name a file or package of this repository. */
const commands = of("sh").flatMap((block) =>
  block.text
    .split("\n")
    .map((line) => line.replace(/\s#.*$/, "").trim())
    .filter((line) => line !== "")
    .map((line) => [named(block), line] as const),
);
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }; // our own

test.each(commands)("%s: `%s` is there", (_name, line) => {
  const [program = "", ...args] = line.split(/\s+/);
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"));
  const script = first === "run" ? second : first;
  if (program === "npm" && first !== "create" && first !== "install") expect(Object.keys(scripts)).toContain(script);
  else if (program === "pnpm" && !["install", "exec", "format"].includes(first)) expect(Object.keys(scripts)).toContain(script);
  else if (program === "node") expect(existsSync(join(root, first.replace(/dist\/(.*)\.js$/, "src/$1.ts")))).toBe(true);
  else if (program === "npm" && first === "install") expect(args).toEqual(["install"]);
  else if (program === "npx" || program === "npm") expect(known(first === "create" ? second : first)).toBe(true);
  else expect(["git", "cd", "pnpm", "claude", "codex", "gemini"]).toContain(program);
});

function known(name: string): boolean {
  const [, folder = name.replace(/^@oarlock\//, "")] = /^@oarlock\/(.+?)(?:@.*)?$/.exec(name) ?? [];
  return ["packages", "servers"].some((kind) => existsSync(join(root, kind, folder)) || existsSync(join(root, kind, `create-${folder}`)));
}
