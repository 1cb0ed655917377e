/**
 * Builds the package in whose folder it runs: `node ../../tooling/build/bundle.ts [entry.ts …]`, natively on Node 24.
 *
 * - `exports`: `tsc -p tsconfig.build.json` writes plain modules and their types to dist/; with `--library` they are combined
 *   (library.ts).
 * - `views/`: one page each in dist/views/ (views.ts).
 * - `bin`, and entries given by hand: rolldown writes one self-contained, executable module each. What the code imports
 *   lazily becomes a chunk of its own below dist/lazy/, which start-up never parses. dist/NOTICES.txt has the licences of what
 *   was put in.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OutputChunk } from "rolldown";
import { bundleLibrary } from "./library.ts";
import { noticesOf } from "./notices.ts";
import { bundleProgram } from "./program.ts";
import { bundleViews } from "./views.ts";

interface Manifest {
  bin?: Record<string, string>;
  exports?: Record<string, unknown>;
}

function emitModules(...flags: string[]): void {
  const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
  // Modules for the browser are a project of their own, with its types.
  for (const project of ["tsconfig.build.json", "tsconfig.view.json"].filter((file) => existsSync(file))) {
    const { status } = spawnSync(process.execPath, [tsc, "-p", project, ...flags], { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
}

function report(chunk: OutputChunk): void {
  const file = join("dist", chunk.fileName);
  if (chunk.isEntry) chmodSync(file, 0o755);
  console.log(`${file} ${(statSync(file).size / 1024).toFixed(1)} KB${chunk.isEntry ? "" : " (lazy)"}`);
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest; // our own file, checked by workspace.test.ts
const bins = Object.values(manifest.bin ?? {}).map((file) => `src/${basename(file, ".js")}.ts`);

rmSync("dist", { recursive: true, force: true });
const given = process.argv.slice(2);
if (given[0] === "--library") await bundleLibrary((folder) => emitModules("--emitDeclarationOnly", "--outDir", folder));
else if (manifest.exports) emitModules();
const bundled: string[] = await bundleViews(".", "dist/views");
for (const entry of [...bins, ...given.filter((arg) => !arg.startsWith("--"))]) {
  const chunks = await bundleProgram(entry, "dist");
  chunks.forEach(report);
  bundled.push(...chunks.flatMap(({ moduleIds }) => moduleIds));
}
const notices = noticesOf(bundled);
if (notices !== "") writeFileSync("dist/NOTICES.txt", notices);
