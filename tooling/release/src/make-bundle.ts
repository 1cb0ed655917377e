/** An `.mcpb` bundle of an installed server: a zip with a manifest, for hosts that install by a double click. */
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { commandOf, packageOf, type About } from "./about.ts";
import { bundleManifest, type BundleFacts } from "./bundle-manifest.ts";
import { askedOf } from "./options-table.ts";
import { folderOf, manifestOf, type Manifest } from "./repository.ts";

const MCPB = fileURLToPath(new URL("cli/cli.js", import.meta.resolve("@anthropic-ai/mcpb")));

/** The format's own command, which validates what it packs. */
export const mcpb = (...args: string[]): Promise<unknown> => outputOf(process.execPath, [MCPB, ...args]);

/** Writes what a bundle has into a new folder: `installed` holds node_modules/ with the server. Gives the manifest's file. */
async function gatherParts(about: About, installed: string, parts: string, tools: BundleFacts["tools"]): Promise<string> {
  const { version, engines } = manifestOf(folderOf(about));
  cpSync(join(installed, "node_modules"), join(parts, "node_modules"), { recursive: true, verbatimSymlinks: true, filter: keep });
  const platforms = platformsIn(parts);
  const entry = `node_modules/${packageOf(about)}/dist/bin.js`;
  const facts = { version, engines: engines.node, tools, switches: await askedOf(about), ...(platforms.length > 0 && { platforms }) };
  const file = join(parts, "manifest.json");
  writeFileSync(file, JSON.stringify(bundleManifest(about, entry, facts), undefined, 2));
  return file;
}

/** Makes the bundle in `work`, and gives its file. */
export async function makeBundle(about: About, installed: string, work: string, tools: BundleFacts["tools"]): Promise<string> {
  const parts = join(work, "parts");
  await mcpb("validate", await gatherParts(about, installed, parts, tools));
  const file = join(work, `${commandOf(about)}-${manifestOf(folderOf(about)).version}.mcpb`);
  await mcpb("pack", parts, file);
  return file;
}

/** Packages that are for one kind of machine, as ripgrep's: `@vscode/ripgrep-darwin-arm64`. */
const FOR_ONE = /^(.+)-(linux|darwin|win32|windows)-(\w+)$/;

/** The systems that the native binaries support; empty without native binaries. */
function platformsIn(parts: string): string[] {
  const names = globSync("node_modules/{*,@*/*}", { cwd: parts }).flatMap(
    (path) => FOR_ONE.exec(path)?.[2]?.replace("windows", "win32") ?? [],
  );
  return [...new Set(names)].toSorted((a, b) => a.localeCompare(b));
}

/** Specs of the packages for other machines that an installation left out; with them a bundle runs on any desktop. */
export function forOtherMachines(installed: string): string[] {
  const manifests = globSync("node_modules/{*,@*/*}/package.json", { cwd: installed });
  const optional = manifests.flatMap((file) => {
    const { optionalDependencies = {} } = JSON.parse(readFileSync(join(installed, file), "utf8")) as Partial<Manifest>; // npm has read it
    return Object.entries(optionalDependencies);
  });
  return optional.filter(([name]) => /^(x64|arm64)$/.test(FOR_ONE.exec(name)?.[3] ?? "")).map(([name, version]) => `${name}@${version}`);
}

const keep = (path: string): boolean => !/node_modules[\\/]\.(bin|package-lock\.json)/.test(path);
