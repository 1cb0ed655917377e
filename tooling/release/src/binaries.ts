/** Table of the binaries that the dependencies of published packages bring, by system and processor, from the lockfile and better-sqlite3. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, publishedFolders, root } from "./repository.ts";

const SYSTEMS = ["linux", "linuxmusl", "darwin", "win32"].flatMap((system) => [`${system}-x64`, `${system}-arm64`]);
const TITLES: Readonly<Record<string, string>> = { linux: "Linux", linuxmusl: "Alpine", darwin: "macOS", win32: "Windows" };

/** Packages with binaries by name and version, each with its systems. */
function binaries(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const lock = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  const platformPackages = [...lock.matchAll(/^ {2}'?(.+)-(linux|darwin|win32|windows)-(x64|arm64)@(.+?)'?:\n {4}resolution:/gm)];
  const dependencies = new Set(publishedFolders().flatMap((folder) => namesIn(folder)));
  for (const [, name = "", system = "", cpu = "", version = ""] of platformPackages) {
    if (!dependencies.has(name)) continue;
    const key = `${name} ${version}`;
    found.set(key, (found.get(key) ?? new Set()).add(`${system.replace("windows", "win32")}-${cpu}`));
  }
  for (const [, name = "", version = ""] of lock.matchAll(/^ {2}(better-sqlite3)@(.+):\n {4}resolution:/gm)) {
    const files = globSync("prebuilds/*.node", { cwd: join(root, "servers/sqlite/node_modules", name) });
    found.set(`${name} ${version}`, new Set(files.map((file) => file.replace(/^.*[\\/]|\.node$/g, ""))));
  }
  return found;
}

function namesIn(folder: string): string[] {
  const { dependencies, optionalDependencies } = manifestOf(join(root, folder));
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

export function binariesTable(): string {
  const titles = SYSTEMS.map((system) => system.replace(/^(\w+)-/, (_all, name: string) => `${TITLES[name]} `));
  const rows = [...binaries()].toSorted(([a], [b]) => a.localeCompare(b));
  return markdownTable(
    ["package", ...titles],
    rows.map(([name, systems]) => [name, ...SYSTEMS.map((system) => (systems.has(system) ? "yes" : "–"))]),
  );
}
