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
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type CodeSplittingGroup, type OutputChunk, type OutputOptions } from "rolldown";
import { fastBuiltins, runsOnOldNode } from "./builtin-imports.ts";
import { bundleLibrary } from "./library.ts";
import { noticesOf } from "./notices.ts";
import { bundleViews } from "./views.ts";

/**
 * Packages with a binary inside cannot be bundled; they stay ordinary dependencies. The driver of Postgres is an optional peer, which few
 * users need.
 */
const EXTERNAL = ["better-sqlite3", "pg"];

const HASHBANG = "#!/usr/bin/env node";

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

function renderChunk(code: string, { isEntry }: { isEntry: boolean }): { code: string } {
  const fast = fastBuiltins(code);
  return { code: isEntry ? runsOnOldNode(fast) : fast };
}

async function bundle(entry: string): Promise<OutputChunk[]> {
  const name = basename(entry, ".ts");
  const build = await rolldown({
    input: { [name]: entry },
    platform: "node",
    external: EXTERNAL,
    // Older Node versions must parse it too, to print that they are too old.
    transform: { target: "node20" },
    plugins: [{ name: "fast-builtins", renderChunk }],
    resolve: { conditionNames: ["oarlock-source", "node", "import", "default"] },
  });
  const hashbang = readFileSync(entry, "utf8").startsWith("#!"); // rolldown keeps one that is there
  const options: OutputOptions = {
    dir: "dist",
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "lazy/[name]-[hash].js",
    banner: (chunk) => (chunk.isEntry && !hashbang ? HASHBANG : ""),
  };
  try {
    // Modules that both start-up and lazy chunks need would become a separate chunk, so they stay in the entry. Without such
    // modules the same group would be the chunk.
    const chunks = (await build.generate(options)).output.filter((file) => file.type === "chunk");
    const offer = offerModules(chunks);
    const groups: CodeSplittingGroup[] = [];
    if (sharedAtStart(chunks).length > 0) groups.push({ name, tags: ["$initial"], priority: 1 });
    if (offer.size > 0) groups.push({ name: "offer", test: (id) => offer.has(id), includeDependenciesRecursively: false });
    const { output } = await build.write(groups.length > 0 ? { ...options, codeSplitting: { groups } } : options);
    return output.filter((file) => file.type === "chunk");
  } finally {
    await build.close();
  }
}

/** Files that the entry would load at once. */
function sharedAtStart(chunks: readonly OutputChunk[]): string[] {
  const own = new Set(chunks.map((chunk) => chunk.fileName));
  return chunks.flatMap((chunk) => (chunk.isEntry ? chunk.imports.filter((id) => own.has(id)) : []));
}

/** Every start loads the offer of a server right after the handshake, so `offer.ts` and its imports are one file. */
function offerModules(chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set(chunks.filter(({ facadeModuleId }) => basename(facadeModuleId ?? "") === "offer.ts"));
  for (const { imports } of reached) {
    for (const id of imports) {
      const chunk = byName.get(id);
      if (chunk !== undefined && !chunk.isEntry) reached.add(chunk);
    }
  }
  return new Set([...reached].flatMap(({ moduleIds }) => moduleIds));
}

/** Start-up reads one file: an entry imports only modules of Node and native packages. */
function checkSelfContained(chunks: OutputChunk[]): void {
  const parsed = sharedAtStart(chunks);
  if (parsed.length > 0)
    throw new Error(
      `An entry loads further files at start: ${parsed.join(", ")}. Remove its top-level await, or its imports of lazy files.`,
    );
  const own = new Set(chunks.map((chunk) => chunk.fileName));
  for (const chunk of chunks) {
    for (const id of [...chunk.imports, ...chunk.dynamicImports]) {
      if (isBuiltin(id) || EXTERNAL.includes(id) || own.has(id)) continue;
      throw new Error(`dist/${chunk.fileName} is not self-contained: it imports ${id}`);
    }
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
  const chunks = await bundle(entry);
  checkSelfContained(chunks);
  chunks.forEach(report);
  bundled.push(...chunks.flatMap(({ moduleIds }) => moduleIds));
}
const notices = noticesOf(bundled);
if (notices !== "") writeFileSync("dist/NOTICES.txt", notices);
