/** Weighs an installed package with all that it needs, also where others stand in the same folder. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Figures } from "./figures.ts";

const MB = 1e6;

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Where Node finds a package from here: the nearest `node_modules` on the way up. */
function find(name: string, from: string, top: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** The folders of a package and of all that it needs; what is optional counts where it is there. */
function closure(name: string, top: string): Set<string> {
  const first = find(name, top, top);
  if (first === undefined) throw new Error(`${name} is not installed`);
  const found = new Set([first]);
  for (const folder of found) {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest; // of npm
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter((peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true);
    const needed = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.optionalDependencies ?? {}), ...peers];
    for (const one of needed) {
      const at = find(one, folder, top);
      if (at !== undefined) found.add(at);
    }
  }
  return found;
}

/** Files of one package, without other packages inside it and without what a build on this machine left. */
function filesOf(folder: string): string[] {
  const others = ["node_modules", ...(existsSync(join(folder, "binding.gyp")) ? ["build"] : [])].map((name) => join(folder, name, sep));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !others.some((other) => file.startsWith(other)));
}

/** `top` is the folder that holds `node_modules`. */
export function weigh(top: string, name: string): Figures {
  const packages = closure(name, top);
  const files = [...packages].flatMap(filesOf);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { packages: packages.size, MB: bytes / MB, files: files.length };
}
