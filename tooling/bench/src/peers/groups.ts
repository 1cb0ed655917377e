/**
 * The peers that are measured but needed by nothing else. Those whose dependencies go together share a folder, each with a manifest
 * and a lock-file under `peers/installed`, and are installed into the cache by `pnpm bench:peers`.
 */
import { cpSync, existsSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inCache } from "../paths.ts";
import { tools } from "../tools.js";

const bench = fileURLToPath(new URL("../..", import.meta.url));
const locks = join(bench, "peers", "installed");

export const GROUPS: readonly string[] = globSync("*/package.json", { cwd: locks })
  .map((file) => file.split(/[\\/]/)[0] ?? "")
  .toSorted();

export const lockedIn = (group: string): string => join(locks, group);
export const folderOf = (group: string): string => inCache("peers", group);

/** A file of an installed package. */
export const installedFile = (group: string, name: string, ...path: string[]): string =>
  join(folderOf(group), "node_modules", name, ...path);

/** Where `place` puts a program of `peers/`. */
export const placedFile = (group: string, program: string): string => join(folderOf(group), "peers", program);

/**
 * Puts our programs beside the installed packages, from where Node finds these. Each run does so anew, since the programs are ours
 * and change.
 */
export function place(group: string): void {
  const folder = folderOf(group);
  if (!existsSync(join(folder, "node_modules"))) return;
  for (const into of ["peers", "src"]) mkdirSync(join(folder, into), { recursive: true });
  for (const program of globSync("*.mjs", { cwd: join(bench, "peers") }))
    cpSync(join(bench, "peers", program), join(folder, "peers", program));
  cpSync(join(bench, "src", "tools.js"), join(folder, "src", "tools.js"));
  if (group === "mcp-framework") placeTools(join(folder, "dist", "tools"));
}

/** mcp-framework reads its tools from a folder, a class from each file. */
function placeTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name } of tools) {
    const text = `import { toolNamed } from "../../peers/mcp-framework-tool.mjs";\nexport default toolNamed("${name}");\n`;
    writeFileSync(join(folder, `${name}.js`), text);
  }
}
