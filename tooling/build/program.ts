/** A program as it is published: one self-contained, executable module, and lazy chunks beside it. */
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename } from "node:path";
import { rolldown, type CodeSplittingGroup, type OutputChunk, type OutputOptions, type Plugin } from "rolldown";
import { fastBuiltins, runsOnOldNode } from "./builtin-imports.ts";

/**
 * Packages with a binary inside cannot be bundled; they stay ordinary dependencies. The driver of Postgres is an optional peer, which few
 * users need.
 */
const EXTERNAL = ["better-sqlite3", "pg"];

const HASHBANG = "#!/usr/bin/env node";

function renderChunk(code: string, { isEntry }: { isEntry: boolean }): { code: string } {
  const fast = fastBuiltins(code);
  return { code: isEntry ? runsOnOldNode(fast) : fast };
}

/** Writes the entry to `dir`, and returns it with its lazy chunks. `plugins` come before those of the build. */
export async function bundleProgram(entry: string, dir: string, plugins: readonly Plugin[] = []): Promise<OutputChunk[]> {
  const name = basename(entry, ".ts");
  const build = await rolldown({
    input: { [name]: entry },
    platform: "node",
    external: EXTERNAL,
    // Older Node versions must parse it too, to print that they are too old.
    transform: { target: "node20" },
    plugins: [...plugins, { name: "fast-builtins", renderChunk }],
    resolve: { conditionNames: ["oarlock-source", "node", "import", "default"] },
  });
  const hashbang = readFileSync(entry, "utf8").startsWith("#!"); // rolldown keeps one that is there
  const options: OutputOptions = {
    dir,
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
    const written = output.filter((file) => file.type === "chunk");
    checkSelfContained(written);
    return written;
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
      throw new Error(`${chunk.fileName} is not self-contained: it imports ${id}`);
    }
  }
}
