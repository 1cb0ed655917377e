/** Compiles the TypeScript blocks of the pages that show no example file, in one run of the compiler. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESCRIBED, entries } from "../api.ts";
import { root } from "../src/examples.ts";
import { allBlocks, named, type Block } from "./read-blocks.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const scratch = join(here, ".cache/blocks");

const allEntries = DESCRIBED.flatMap(entries);

/** Exported names that are values, not only types. */
const values = new Set(
  allEntries.flatMap(({ declared }) =>
    declared.filter(({ type }) => /^(async )?(function|const|class|abstract)/.test(type)).map(({ name }) => name),
  ),
);

const free = allBlocks().filter(({ language, example }) => ["ts", "ts example"].includes(language) && example === undefined);
let output = "";

beforeAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  free.forEach((block, at) => writeFileSync(join(scratch, `block-${at}.ts`), `${importsOf(block)}${block.text}\nexport {};\n`));
  // As users compile them: on the declarations of the built packages.
  const compilerOptions = { noEmit: true, noUnusedLocals: false, customConditions: [] };
  const include = ["*.ts", "../../test/*.d.ts"];
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify({ extends: "../../../../tsconfig.base.json", compilerOptions, include }));
  const { stdout, stderr } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", scratch], { encoding: "utf8" });
  output = stdout + stderr;
});

afterAll(() => rmSync(join(here, ".cache"), { recursive: true, force: true }));

test.each(free.map((block, at) => [named(block), at] as const))("%s compiles", (_name, at) => {
  expect(output.split("\n").filter((line) => line.includes(`block-${at}.ts`))).toEqual([]);
});

test("compiles without any other error", () => {
  expect(output.split("\n").filter((line) => line.includes("error") && !/block-\d+\.ts/.test(line))).toEqual([]);
});

/** The imports of an example in a comment, which the comment leaves out. The first entry that exports a name provides it. */
function importsOf({ language, text }: Block): string {
  if (language !== "ts example") return "";
  const imported = new Set<string>();
  const lines = allEntries.flatMap(({ from, declared }) => {
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
