// Copies of the servers: their files, with the names of the copy in place of those of the original.
import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bundledServers } from "../src/bundled-files.ts";
import { nextSteps } from "../src/messages.ts";
import { resolveOptions } from "../src/options.ts";
import { projectFiles } from "../src/project-files.ts";
import { requireBuilds, root } from "./support/repository.ts";

beforeAll(() => requireBuilds("packages/create-server"));

const SERVERS = readdirSync(join(root, "servers"));

interface Copy {
  readonly paths: readonly string[];
  read(path: string): string;
  /** What the command says in the end. */
  readonly steps: string;
}

const copies = new Map<string, Copy>();

function copyOf(server: string, name = "@me/own"): Copy {
  const key = `${server} ${name}`;
  const existing = copies.get(key);
  if (existing !== undefined) return existing;
  const options = resolveOptions({ name, from: server }, { servers: bundledServers(), cwd: "/work" });
  const files = projectFiles(options);
  const copy: Copy = {
    paths: [...files.keys()],
    read: (path) => String(files.get(path)),
    steps: nextSteps(options, { files: files.size, cwd: "/work", needsTarballs: false }),
  };
  copies.set(key, copy);
  return copy;
}

test("bundles a copy of every server", () => {
  expect(bundledServers()).toEqual(SERVERS.toSorted());
});

test.each(["my-server-2", "oarlock-memory-2"])("names a copy %s once", (name) => {
  const copy = copyOf("memory", name);
  expect(copy.steps).toContain("\n  npm test   # takes a few minutes\n");
  expect(copy.read("README.md")).toContain(`# ${name}\n`);
  expect(copy.read("README.md")).not.toContain("-2-2");
  // The entry for hosts has the name of the copy, too.
  expect(copy.read("src/bin.ts")).toContain(`name: "${name}",`);
  expect(copy.read("src/bin.ts")).not.toContain("hostEntry");
});

test.each(SERVERS)("gives a copy of %s its own host entries, skill and data folder", (server) => {
  const copy = copyOf(server);
  const readme = copy.read("README.md");
  expect(readme).not.toMatch(new RegExp(`^ +"${server}": \\{|mcp_servers\\.${server}`, "m"));
  expect(readme).toMatch(/^ {4}"own": \{$/m);
  expect(copy.read(`skills/use-${server}/SKILL.md`)).toMatch(/^description: .* with the server own\. /m);
  // A changed copy must not work on the data of the original.
  const paths = copy.paths.filter((path) => /^(?:src|test|skills)\/.*\.(?:ts|md)$/.test(path));
  expect(paths.length).toBeGreaterThan(20);
  const original = new RegExp(`(?<![@\\w-])oarlock/${server}/|"oarlock", "${server}"|Oarlock ${server} server`);
  expect(paths.filter((path) => original.test(copy.read(path)))).toEqual([]);
});

test.each(SERVERS)("leaves no reference to this repository in a copy of %s", (server) => {
  const copy = copyOf(server);
  const paths = copy.paths.filter((path) => /^(src|test|[^/]+$)/.test(path) && /\.(ts|json|md)$/.test(path));
  const offending =
    /workspace:|catalog:|oarlock-source|"@oarlock\/(?!(?:server-kit|extensions|cli|domain-kit|oauth|client|testing|documents)\b)|\.\.\/(packages|servers|tooling)\//;
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => offending.test(copy.read(path)))).toEqual([]);
});

test.each(SERVERS)("names each package that a copy of %s imports as its dependency", (server) => {
  const { paths, read } = copyOf(server);
  const manifest = JSON.parse(read("package.json")) as { dependencies: object; devDependencies: object };
  const named = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  const sources = paths.filter((path) => /^(?:src|test)\/.*\.ts$/.test(path));
  const imported = sources.flatMap((path) =>
    [...read(path).matchAll(/^(?:import|export|\}) .*\bfrom "((?:@[^/"]+\/)?[^/".:]+)["/]/gm)].map(([, needed = ""]) => needed),
  );
  expect(imported).toContain("@oarlock/server-kit");
  expect([...new Set(imported)].filter((needed) => !named.has(needed))).toEqual([]);
});

test.each(SERVERS)("copies each module that a copy of %s imports", (server) => {
  const { paths, read } = copyOf(server);
  const modules = paths.filter((path) => /^(?:src|test)\/.*\.ts$/.test(path));
  const imported = modules.flatMap((path) =>
    [...read(path).matchAll(/^(?:import|export|\}) .*\bfrom "(\.[^"]+)"/gm)].map(([, to = ""]) => posix.join(posix.dirname(path), to)),
  );
  expect(imported.length).toBeGreaterThan(50);
  expect([...new Set(imported)].filter((path) => !paths.includes(path))).toEqual([]);
});

test("stores the memory of a copy in its own folder", () => {
  const copy = copyOf("memory", "my-notes");
  expect(copy.read("src/configured-location.ts")).toContain('"my-notes", "memory.db")');
});

test.each(SERVERS)("names no clone and no original package in the README of a copy of %s", (server) => {
  const readme = copyOf(server).read("README.md");
  expect(readme).not.toMatch(/git clone |npm run demo|oarlock\/servers|(?:@oarlock\/|%40oarlock%2F)(?:filesystem|git|sqlite|memory)/);
  expect(readme).toMatch(/^## Quick start\n\n.*, for example:\n/m);
  const linked = [...readme.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)].map(([, path]) => path);
  expect(linked.filter((path) => !copyOf(server).paths.includes(path ?? ""))).toEqual([]);
  expect(readme).toContain("takes a few minutes");
});

test.each(SERVERS)("writes a design page with the steps that add a tool for a copy of %s", (server) => {
  const design = copyOf(server).read("DESIGN.md");
  expect(design).toMatch(/^# How own is built\n/);
  expect(design).toContain("UPDATE_GOLDEN=1 npx vitest run test/golden.test.ts");
  expect(design).not.toMatch(/pnpm|\]\(\.\.\//);
  const registry = /Enter it in `(.+?)`/.exec(design)?.[1] ?? "";
  expect(copyOf(server).paths).toContain(registry);
});

test.each(SERVERS)("copies only tests that npm test of %s runs", (server) => {
  const { paths, read } = copyOf(server);
  expect(paths.filter((path) => /\.(?:deep|timing)\./.test(path))).toEqual([]);
  expect(read("package.json")).toContain('"test": "tsc -p tsconfig.build.json && tsc --noEmit && vitest run"');
  expect(read("vitest.config.ts")).toContain("isolate: false");
});
