/** An `.mcpb` bundle of an installed server: a zip with a manifest, for hosts that install by a double click. */
import { execFile } from "node:child_process";
import { cpSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commandOf, packageOf, type About } from "./about.ts";
import { bundleManifest, type BundleFacts } from "./bundle-manifest.ts";
import { folderOf, manifestOf } from "./places.ts";

const run = promisify(execFile);

const MCPB = fileURLToPath(new URL("cli/cli.js", import.meta.resolve("@anthropic-ai/mcpb")));

/** The format's own command, which validates what it packs. */
export const mcpb = (...args: string[]): Promise<unknown> => run(process.execPath, [MCPB, ...args]);

/** `installed` holds node_modules/ with the server; the bundle and its parts are made in `work`. Gives the bundle. */
export async function makeBundle(about: About, installed: string, work: string, tools: BundleFacts["tools"]): Promise<string> {
  const { version, engines } = manifestOf(folderOf(about));
  const parts = join(work, "parts");
  cpSync(join(installed, "node_modules"), join(parts, "node_modules"), { recursive: true, verbatimSymlinks: true, filter: keep });
  // Binaries for one kind of machine, as ripgrep's, make the bundle one for that kind.
  const native = globSync("node_modules/**/*-{linux,darwin,win32}-*/package.json", { cwd: parts }).length > 0;
  const entry = `node_modules/${packageOf(about)}/dist/bin.js`;
  const facts = { version, engines: engines.node, tools, ...(native && { platforms: [process.platform] }) };
  writeFileSync(join(parts, "manifest.json"), JSON.stringify(bundleManifest(about, entry, facts), undefined, 2));
  await mcpb("validate", join(parts, "manifest.json"));
  const file = join(work, `${commandOf(about)}-${version}.mcpb`);
  await mcpb("pack", parts, file);
  return file;
}

const keep = (path: string): boolean => !/node_modules[\\/]\.(bin|package-lock\.json)/.test(path);
