/** `pnpm bench:peers`: installs the peers as their lock files list them, from the package registry only. Names of groups select some. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { outputSync } from "@oarlock-tooling/test-support/run-program";
import { folderOf, GROUPS, lockedIn } from "./groups.ts";

const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** The group whose package has a part in C++ that is built here, as a ready one would come from elsewhere than the registry. */
const NATIVE = "sqlite3";

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
  if (!outdated(group) && isBuilt(group)) return "is there";
  mkdirSync(into, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(lockedIn(group), file), join(into, file));
  npm(["ci", ...QUIET], into);
  return group === NATIVE ? build() : "installed";
}

const isBuilt = (group: string): boolean =>
  group !== NATIVE || existsSync(join(folderOf(group), "node_modules/sqlite3/build/Release/node_sqlite3.node"));

/** Names what is missing when the native module cannot be built. */
function build(): string {
  const nodedir = headers();
  if (nodedir === undefined) return "installed, but sqlite3 is not built: it wants Node's headers, npm_config_nodedir says where they are";
  npm(["rebuild", "sqlite3"], folderOf(NATIVE), { npm_config_build_from_source: "true", npm_config_nodedir: nodedir });
  return isBuilt(NATIVE) ? "installed and built" : "installed, but the build of sqlite3 gave nothing";
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
