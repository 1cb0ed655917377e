/** The published versions for `workspace:` and `catalog:` specs. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export type Dependencies = Record<string, string>;

export interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  bin?: Record<string, string>;
  dependencies?: Dependencies;
  devDependencies?: Dependencies;
}

/** A package.json of this repository, checked by workspace.test.ts. */
export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;

const ours = new Map(
  globSync("{packages,servers}/*/package.json", { cwd: root }).map((path) => {
    const { name, version } = manifestOf(path.slice(0, -"/package.json".length));
    return [name, version];
  }),
);

const catalog = new Map(
  [
    ...(/^catalog:\n((?: {2}.*\n)+)/m.exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))?.[1] ?? "").matchAll(
      /^ {2}"?([^":]+)"?: (\S+)$/gm,
    ),
  ].map(([, name = "", version = ""]) => [name, version]),
);
/** Development dependencies of the repository count like the catalog. */
for (const [name, version] of Object.entries(manifestOf(".").devDependencies ?? {})) if (version !== "catalog:") catalog.set(name, version);

/** The version to publish for `name@spec`. */
export function published(name: string, spec: string): string {
  if (spec !== "workspace:^" && spec !== "catalog:") return spec;
  const version = (spec === "catalog:" ? catalog : ours).get(name);
  if (version === undefined) throw new Error(`${name}: "${spec}" stands for no version`);
  return spec === "catalog:" ? version : `^${version}`;
}
