/**
 * A library as it is published: few files, so that importing it is quick, and names kept, so that stack traces can be read.
 * Code shared by the platform-independent entries is one file without modules of Node; lazy imports stay lazy.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown, type InputOptions, type OutputChunk, type OutputOptions } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { breakLines } from "./break-lines.ts";

/** Folder of the declarations that `tsc` writes for each source; the API reference is read from them. */
const TYPES = ".cache/types";

interface Library {
  exports: Record<string, { "oarlock-source": string }>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const manifest = (): Library => JSON.parse(readFileSync("package.json", "utf8")) as Library; // our own

/** Entries by name, as `index: "src/index.ts"`. */
const sources = (): Record<string, string> =>
  Object.fromEntries(Object.values(manifest().exports).map(({ "oarlock-source": file }) => [nameOf(file), file]));

const nameOf = (file: string): string => file.replace(/^\.\/src\/(.*)\.ts$/, "$1");

/**
 * Modules of the chunks that entries import; of code only entries that need nothing from outside, neither of Node nor of other
 * packages: what they share then runs on any platform.
 */
function shared(chunks: readonly OutputChunk[], isCode: boolean): ReadonlySet<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const closure = (of: OutputChunk): ReadonlySet<string> => {
    const reached = new Set(of.imports);
    for (const id of reached) for (const next of byName.get(id)?.imports ?? []) reached.add(next);
    return reached;
  };
  const closures = chunks.filter(({ isEntry }) => isEntry).map(closure);
  const fitting = isCode ? closures.filter((all) => [...all].every((id) => byName.has(id))) : closures;
  return new Set(
    fitting.flatMap((all) => [...all].flatMap((id) => (byName.get(id)?.isEntry === true ? [] : (byName.get(id)?.moduleIds ?? [])))),
  );
}

async function write(input: InputOptions, output: OutputOptions, isCode: boolean): Promise<void> {
  const build = await rolldown(input);
  const options: OutputOptions = { dir: "dist", format: "esm", ...output };
  try {
    const chunks = (await build.generate(options)).output.filter((file) => file.type === "chunk");
    const modules = shared(chunks, isCode);
    const group = { name: "kit", test: (id: string) => modules.has(id) };
    const { output: files } = await build.write({ ...options, codeSplitting: { groups: [group] } });
    for (const { fileName } of files) {
      const file = join("dist", fileName);
      if (isCode) writeFileSync(file, breakLines(readFileSync(file, "utf8")));
      console.log(`${file} ${(statSync(file).size / 1024).toFixed(1)} KB`);
    }
  } finally {
    await build.close();
  }
}

/** Writes dist/. `emitTypes` has `tsc` write the declarations into a folder. */
export async function bundleLibrary(emitTypes: (folder: string) => void): Promise<void> {
  rmSync(TYPES, { recursive: true, force: true });
  emitTypes(TYPES);
  const entries = sources();
  const { dependencies = {}, peerDependencies = {} } = manifest();
  const external = [/^node:/, ...Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`))];
  const code: InputOptions = {
    input: entries,
    platform: "node",
    external,
    resolve: { conditionNames: ["oarlock-source", "node", "import", "default"] },
  };
  const minify = { codegen: true, compress: true, mangle: { keepNames: true } };
  await write(code, { minify, comments: false, chunkFileNames: "lazy/[name].js" }, true);
  const types: InputOptions = {
    input: Object.fromEntries(Object.keys(entries).map((name) => [name, `./${TYPES}/${name}.d.ts`])),
    external,
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  };
  await write(types, { chunkFileNames: "lazy/[name].d.ts" }, false);
}
