/** Vitest in Stryker's copy of the repository: packages of the workspace resolve to the sources in the copy, not to those it was made from. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";
import { TESTS_VARIABLE } from "./src/options.ts";

/** The copy of the repository: Stryker's workers run in it. */
const root = process.cwd();

const CONDITION = "oarlock-source";

/** Import specifier → source file. */
interface Alias {
  readonly find: RegExp;
  readonly replacement: string;
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function aliasesOf(folder: string): Alias[] {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest; // our own file
  return Object.entries(exports).flatMap(([entry, target]) => {
    const source = typeof target === "string" ? target : target[CONDITION];
    if (source === undefined) return [];
    return [{ find: new RegExp(`^${escaped(name + entry.slice(1))}$`), replacement: join(root, folder, source) }];
  });
}

const folders = globSync("{packages,servers,tooling}/*/package.json", { cwd: root }).map(dirname);

const merged = mergeConfig(base, { resolve: { alias: folders.flatMap(aliasesOf) } });

/** One project: the selected tests, whatever their names say. */
const { projects: _projects, ...test } = merged.test ?? {};

export default defineConfig({
  ...merged,
  test: { ...test, testTimeout: 60_000, include: (process.env[TESTS_VARIABLE] ?? "").split("\n").filter((glob) => glob !== "") },
});
