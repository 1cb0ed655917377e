/** `pnpm bench:peers`: installs the peers as their lock files list them, from the package registry only. Names of groups select some. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { outputSync } from "@oarlock-tooling/test-support/run-program";
import { folderOf, GROUPS, lockedIn } from "./groups.ts";

const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** Packages with a part in C++ that is built here, as a ready one would come from elsewhere than the registry. */
const NATIVE: ReadonlyMap<string, { name: string; makes: string }> = new Map([
  ["sqlite3", { name: "sqlite3", makes: "build/Release/node_sqlite3.node" }],
]);

const npm = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string =>
  outputSync("npm", args, { cwd, env: { ...process.env, ...env } });

const same = (one: string, other: string): boolean => existsSync(other) && readFileSync(one, "utf8") === readFileSync(other, "utf8");

/** True where the lock-file has changed since, or nothing is there. */
function outdated(group: string): boolean {
  const installed = join(folderOf(group), "node_modules", ".package-lock.json");
  return !existsSync(installed) || !same(join(lockedIn(group), "package-lock.json"), join(folderOf(group), "package-lock.json"));
}

function install(group: string): string {
  const into = folderOf(group);
  if (!outdated(group) && built(group)) return "is there";
  mkdirSync(into, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(lockedIn(group), file), join(into, file));
  npm(["ci", ...QUIET], into);
  return build(group) ?? "installed";
}

function built(group: string): boolean {
  const native = NATIVE.get(group);
  return native === undefined || existsSync(join(folderOf(group), "node_modules", native.name, native.makes));
}

/** Prints what is missing when a native module cannot be built. */
function build(group: string): string | undefined {
  const native = NATIVE.get(group);
  if (native === undefined) return undefined;
  const nodedir = headers();
  if (nodedir === undefined)
    return `installed, but ${native.name} is not built: it wants Node's headers, npm_config_nodedir says where they are`;
  npm(["rebuild", native.name], folderOf(group), { npm_config_build_from_source: "true", npm_config_nodedir: nodedir });
  return built(group) ? "installed and built" : `installed, but the build of ${native.name} gave nothing`;
}

/** A folder with Node's headers; any version's do, as what is built keeps to Node-API. */
function headers(): string | undefined {
  const own = resolve(dirname(process.execPath), "..");
  const places = [process.env["npm_config_nodedir"] ?? "", own, "/usr", "/usr/local"];
  return places.find((place) => place !== "" && existsSync(join(place, "include", "node", "node_api.h")));
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((group) => !GROUPS.includes(group));
if (unknown.length > 0) {
  console.error(`pnpm bench:peers [GROUP]…: ${unknown.join(", ")} is none of ${GROUPS.join(", ")}`);
  process.exit(2);
}
for (const group of chosen.length > 0 ? chosen : GROUPS) {
  try {
    console.log(`${group}: ${install(group)}`);
  } catch (error) {
    // One that cannot be had is left out of the tables, by name; the others are measured all the same.
    const { stderr = "" } = error as { stderr?: Buffer | string }; // of a command that failed
    console.log(`${group}: not installed. ${String(error).split("\n")[0]} ${String(stderr).slice(-300)}`);
    process.exitCode = 1;
  }
}
