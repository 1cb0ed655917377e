/** Packages as they would be published, installed into an empty folder as their users would. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { writePackageList } from "./publication/package-list.ts";
import { publishedFolders, root } from "./repository.ts";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string }; // our own

interface Packed {
  name: string;
  version: string;
  filename: string;
}

/** For production; nothing runs at install. */
const QUIET = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

/**
 * Packs everything that is published, in one run of pnpm, and lists it in packages.json. Gives the tarballs by the names of their packages, those
 * that others need before them.
 */
export async function packAll(into: string): Promise<ReadonlyMap<string, string>> {
  const filters = publishedFolders().map((folder) => `--filter=./${folder}`);
  const words = ["-y", packageManager, "pack", "--recursive", ...filters, "--json", "--pack-destination", into];
  const packed = JSON.parse(await outputOf("npx", words, { cwd: root })) as Packed[]; // as pnpm documents it
  writePackageList(
    into,
    packed.map(({ name, version, filename }) => ({ name, version, file: basename(filename) })),
  );
  return new Map(packed.map(({ name, filename }) => [name, filename]));
}

/** Installs one of the packed packages, with those of the others that it needs, into a folder; for production, without install scripts. */
export async function install(name: string, tarballs: ReadonlyMap<string, string>, into: string): Promise<void> {
  const files = Object.fromEntries([...tarballs].map(([one, file]) => [one, `file:${file}`]));
  await installFor({ dependencies: { [name]: files[name] }, overrides: files }, into);
}

/** The same of a version that is on npm. */
export const installPublished = (name: string, version: string, into: string): Promise<void> =>
  installFor({ dependencies: { [name]: version } }, into);

/** Adds packages, also those that are for other machines. */
export async function addAnyway(specs: readonly string[], into: string): Promise<void> {
  if (specs.length > 0) await outputOf("npm", ["install", "--force", "--no-save", ...QUIET, ...specs], { cwd: into });
}

async function installFor(manifest: object, into: string): Promise<void> {
  writeFileSync(join(into, "package.json"), JSON.stringify({ name: "a-user", version: "0.0.0", private: true, ...manifest }));
  await outputOf("npm", ["install", ...QUIET], { cwd: into });
}
