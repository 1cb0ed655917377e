/**
 * Writes the files that the scaffold copies to packages/create-server/dist/carried: its template, and each server of servers/ as a
 * project of its own. A new server is included because its folder exists.
 */
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { designOf } from "./copied-design.ts";
import { namedIn, stayingHere } from "./excluded-tests.ts";
import { noticesOf } from "./notices.ts";
import { bundleViews } from "./views.ts";
import { manifestOf, published, root, type Dependencies } from "./versions.ts";

const HOME = join(root, "packages/create-server");
const CARRIED = join(HOME, "dist/carried");

const filesIn = (folder: string, glob: string): string[] =>
  globSync(glob, { cwd: folder, withFileTypes: true, exclude: (entry) => /^(node_modules|dist)$/.test(entry.name) })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)))
    .toSorted();

/** The tests of a copy are those of the fast project, with its settings; so they cost half of what each file by itself costs. */
const VITEST_CONFIG = `// How the tests run: modules are loaded once for all files, and what Node compiled is kept for the processes that tests start.
import { defineConfig } from "vitest/config";

process.env["NODE_COMPILE_CACHE"] ??= \`\${import.meta.dirname}/node_modules/.cache/compiled\`;

export default defineConfig({
  test: { dir: "test", pool: "forks", isolate: false, testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } },
});
`;

/** The version of a new project. */
const FIRST = "0.1.0";

const resolved = (dependencies: Dependencies = {}, mark = ""): Dependencies =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, spec]) => [name, `${/^\d/.test(published(name, spec)) ? mark : ""}${published(name, spec)}`]),
  );

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * The text under the name of the copy: `oarlock-memory` is replaced by it when the copy is written. A copy stores its data in a folder of its
 * own, since a changed server must not work on the data of the original.
 */
const renamed = (name: string, text: string): string =>
  text
    .replaceAll(`the Oarlock ${name} server`, `the server oarlock-${name}`)
    .replaceAll(`"oarlock", "${name}"`, `"oarlock-${name}"`)
    .replaceAll(new RegExp(`(?<![@\\w-])oarlock/${name}/`, "g"), `oarlock-${name}/`);

/** Parts that are loaded when a switch names them. `src/addons.ts`, which loads them, is copied without them. */
const ADDON = /^(?:src|test)\/addons\//;

/** Copies a source file, without the condition that resolves packages to sources in this repository. Views are copied as they were built. */
function writeSource(name: string, from: string, to: string): void {
  const text = renamed(name, readFileSync(from, "utf8"))
    .replaceAll(/(["'])--conditions=oarlock-source\1(?:, ?)?/g, "")
    .replaceAll("../dist/views/", "../views/")
    .replaceAll(/^ +\w+: \(\) => import\("\.\/addons\/.*\n/gm, "")
    .replace(/^ *hostEntry: .*\n/m, "") // the entry of a copy has the copy's name
    .replace(/^export const version = ".*";$/m, `export const version = "${FIRST}";`);
  if (text.includes("oarlock-source")) throw new Error(`${from}: a copy cannot resolve packages by the condition oarlock-source`);
  write(to, text);
}

function carryTemplate(): void {
  const to = join(CARRIED, "template");
  cpSync(join(HOME, "template"), to, { recursive: true, filter: (path) => !/[/\\](node_modules|dist)$/.test(path) });
  const { dependencies, devDependencies, ...rest } = manifestOf("packages/create-server/template");
  write(
    join(to, "package.json"),
    json({ ...rest, dependencies: resolved(dependencies, "^"), devDependencies: resolved(devDependencies, "^") }),
  );
}

/** The packages that files import. */
const packagesOf = (folder: string, paths: readonly string[]): ReadonlySet<string> =>
  new Set(paths.flatMap((path) => namedIn(path, readFileSync(join(folder, path), "utf8")).packages));

async function carryServer(name: string): Promise<void> {
  const folder = join(root, "servers", name);
  const to = join(CARRIED, "from", name);
  const { version, description, license, engines, dependencies, devDependencies } = manifestOf(`servers/${name}`);
  const staying = stayingHere(folder, new Set(Object.keys({ ...dependencies, ...devDependencies })));
  // Add-ons are large, and few copies need one: they stay, with their tests.
  const paths = filesIn(folder, "{src,test,skills}/**/*").filter((path) => !staying.has(path) && !ADDON.test(path));
  const used = new Set<string>();
  for (const path of paths) {
    if (!path.endsWith(".ts")) {
      if (path.endsWith(".md")) write(join(to, path), renamed(name, readFileSync(join(folder, path), "utf8")));
      else cpSync(join(folder, path), join(to, path));
      continue;
    }
    const { packages } = namedIn(path, readFileSync(join(folder, path), "utf8"));
    for (const needed of packages) used.add(needed);
    writeSource(name, join(folder, path), join(to, path));
  }
  const forAddons = packagesOf(
    folder,
    filesIn(folder, "src/**/*.ts").filter((path) => ADDON.test(path)),
  );
  const kept = Object.entries(dependencies ?? {}).filter(([needed]) => used.has(needed) || !forAddons.has(needed));
  const views = await bundleViews(folder, join(to, "views"));
  const notices = noticesOf(views);
  if (notices !== "") write(join(to, "views/NOTICES.txt"), notices);
  const development = Object.entries({ ...devDependencies, typescript: "catalog:", "@types/node": "catalog:" }).filter(
    ([needed]) => used.has(needed) || /^(@types\/|typescript$|vitest$)/.test(needed),
  );
  write(
    join(to, "package.json"),
    json({
      name: "my-server",
      version: FIRST,
      description,
      license,
      type: "module",
      engines,
      bin: { "my-server": "dist/bin.js" },
      files: ["dist", "skills", ...(views.length > 0 ? ["views"] : [])],
      exports: { ".": { types: "./dist/server.d.ts", default: "./dist/server.js" } },
      scripts: {
        start: "node src/bin.ts",
        test: "tsc -p tsconfig.build.json && tsc --noEmit && vitest run", // some tests start the build
        build: "tsc -p tsconfig.build.json",
        prepare: "tsc -p tsconfig.build.json",
      },
      dependencies: resolved(Object.fromEntries(kept)),
      devDependencies: resolved(Object.fromEntries(development.toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    }),
  );
  const base = JSON.parse(readFileSync(join(root, "tsconfig.base.json"), "utf8")) as { compilerOptions: Record<string, unknown> }; // our own
  const { customConditions: _ours, ...compilerOptions } = base.compilerOptions;
  write(
    join(to, "tsconfig.json"),
    json({ compilerOptions: { ...compilerOptions, noEmit: true }, include: ["src", "test", "vitest.config.ts"] }),
  );
  const build = { noEmit: false, rootDir: "src", outDir: "dist" };
  write(join(to, "tsconfig.build.json"), json({ extends: "./tsconfig.json", compilerOptions: build, include: ["src"] }));
  write(join(to, "vitest.config.ts"), VITEST_CONFIG);
  cpSync(join(root, "LICENSE"), join(to, "LICENSE"));
  const copied = new Set([...paths, "DESIGN.md"]);
  write(join(to, "DESIGN.md"), withSourceLinks(name, renamed(name, designOf(folder, `${SOURCE}/servers/${name}`)), copied));
  const readme = readmeOf(name, version, readFileSync(join(folder, "README.md"), "utf8"));
  write(join(to, "README.md"), withSourceLinks(name, readme, copied));
  const why = [...staying.values()].filter((reason) => /^(?:reaches|needs) /.test(reason));
  console.log(
    `dist/carried/from/${name}: ${paths.length} files; ${staying.size} are not copied${why.length === 0 ? "" : `: ${[...new Set(why)].join(", ")}`}`,
  );
}

const SOURCE = "https://github.com/oarlock/oarlock/blob/main";

/** Links of a page of the server lead to the repository where the copy lacks the file. */
const withSourceLinks = (name: string, text: string, copied: ReadonlySet<string>): string =>
  text.replaceAll(/\]\((?![a-z]+:)([^)#\s]+)/g, (link, path: string) =>
    copied.has(path) ? link : `](${SOURCE}/${posix.join("servers", name, path)}`,
  );

/** The README under the name of the copy, with its own usage section. */
function readmeOf(name: string, version: string, original: string): string {
  const [, ...lines] = original.split("\n");
  const body = renamed(name, lines.join("\n"))
    // A copy is not a clone of this repository, and the links that install start the original.
    .replace(/^<!-- from a clone, [^]*?^<!-- end of from a clone -->\n\n/m, "")
    .replace(/^\[Install in VS Code\].*\n\n/m, "")
    // The tool that writes the tables is not copied.
    .replaceAll(/^<!-- .*written by tooling\/release -->\n\n|^<!-- end of .* -->\n\n/gm, "")
    // Neither are the pictures, and the page that shows views.
    .replaceAll(/^!\[[^\]]*\]\(\.\.\/[^)]*\)\n\n|^`pnpm demo:apps` .*\n\n/gm, "")
    .replaceAll(`@oarlock/${name}`, "my-package")
    // The keys of host entries, in JSON and in TOML.
    .replaceAll(`"${name}": {`, '"my-server": {')
    .replaceAll(`[mcp_servers.${name}]`, "[mcp_servers.my-server]");
  return `# my-server

A copy of the Oarlock ${name} server ${version}, ready to change. \`npm install\` installs its packages and builds it; \`npm test\` builds it, checks the
types and runs the tests, which takes a few minutes; \`npm start\` runs it from its source. \`npx vitest run test/golden.test.ts\` is quick: it compares the
list of tools with the stored one. [DESIGN.md](DESIGN.md) follows one call through the code and has the steps that add a tool.

## Use it

\`\`\`json
{
  "mcpServers": {
    "my-server": { "command": "node", "args": ["/absolute/path/to/my-server/dist/bin.js"] }
  }
}
\`\`\`

\`node dist/bin.js --print-config HOST\`, with your arguments, prints the entry for one of the hosts that \`--help\` lists.

Below is the README of the original.
${body}`;
}

rmSync(CARRIED, { recursive: true, force: true });
carryTemplate();
for (const name of readdirSync(join(root, "servers")).toSorted()) await carryServer(name);
