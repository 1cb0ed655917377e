/**
 * What is measured, from `data/targets.json`: our servers, the floors below them, and others beside them. All run on the Node that runs this. Words
 * of a command that name a file begin with its place: `peers/`, `built:` (a file of this repository that a build makes), `module:` (of this
 * package's dependencies), `installed:GROUP/` and `placed:GROUP/` (below what `pnpm bench:peers` installs).
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE, inRepository } from "./paths.ts";
import { installedFile, place, placedFile } from "./peers/groups.ts";
import type { Target } from "./target.ts";

interface Entry extends Omit<Target, "product" | "role" | "command" | "built" | "installed" | "package"> {
  product?: string;
  /** Default: peer. */
  role?: Target["role"];
  run?: readonly string[];
  package?: string;
  /** `GROUP/FILE`: is there once the target can be started. Default: the installed file that is started. */
  needs?: string;
}

const split = (path: string): [group: string, file: string] => [path.slice(0, path.indexOf("/")), path.slice(path.indexOf("/") + 1)];

/** A package may not export its main file, but all export their manifest. */
function fileOfModule(path: string): string {
  const [, name = "", file = ""] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  return `${dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))}/${file}`;
}

const PLACES: Readonly<Record<string, (path: string) => string>> = {
  "peers/": (path) => inRepository(`tooling/bench/peers/${path}`),
  "built:": inRepository,
  "module:": fileOfModule,
  "installed:": (path) => installedFile(...split(path)),
  "placed:": (path) => placedFile(...split(path)),
};

function wordOf(word: string): string {
  const [place, path] = Object.entries(PLACES).find(([start]) => word.startsWith(start)) ?? [];
  return place === undefined || path === undefined ? word.replaceAll("{cache}", CACHE) : path(word.slice(place.length));
}

function targetOf({ product, role = "peer", run = [], package: weighed, needs, env, ...rest }: Entry): Target {
  const [first = ""] = run;
  const needed = needs ?? (first.startsWith("installed:") ? first.replace("installed:", "") : undefined);
  const [group, file] = split(needed ?? "/");
  return {
    ...{ ...rest, product: product ?? rest.name, role },
    command: run.length === 0 ? [] : [process.execPath, ...run.map(wordOf)],
    ...(env !== undefined && { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, wordOf(value)])) }),
    ...(first.startsWith("built:") && { built: wordOf(first) }),
    ...(needed !== undefined && { installed: { group, file: installedFile(group, file) } }),
    ...(weighed !== undefined && { package: { name: weighed, ...(role === "ours" && { packed: true }) } }),
  };
}

const entries = JSON.parse(readFileSync(new URL("../data/targets.json", import.meta.url), "utf8")) as Entry[]; // our own; tests name its entries

export const TARGETS: readonly Target[] = entries.map(targetOf);

function isPresent({ built, installed }: Target): boolean {
  const file = built ?? installed?.file;
  return file === undefined || existsSync(file);
}

const reported = new Set<string>();

/** Those of the targets that can be started; the others are named, once. */
export function present(targets: readonly Target[]): Target[] {
  for (const target of targets) {
    if (isPresent(target)) {
      if (target.installed !== undefined) place(target.installed.group);
    } else if (!reported.has(target.name)) {
      reported.add(target.name);
      console.log(
        `${target.name} is left out: it is not ${target.installed === undefined ? "built (pnpm build)" : "installed (pnpm bench:peers)"}.`,
      );
    }
  }
  return targets.filter(isPresent);
}

/** The target with this name; throws what to say to whoever typed it. */
export function targetNamed(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) throw new Error(`unknown target: ${name} (there are ${TARGETS.map((target) => target.name).join(", ")})`);
  return found;
}
