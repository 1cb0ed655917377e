/**
 * The tarballs of everything that is published, packed once for all tests, and again when a build has changed a file. `OARLOCK_TARBALLS` names the
 * folder of tarballs that another job has packed: a release publishes what these tests have tried.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeOnce } from "../../build/make-once.ts";
import { packAll } from "./pack.ts";
import { readPackageList } from "./publication/package-list.ts";
import { publishedFolders, root } from "./repository.ts";

const CACHE = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
const TARBALLS = join(CACHE, "tarballs");

/** The tarballs by the names of their packages. Throws where something is not built. */
export async function packedOnce(): Promise<ReadonlyMap<string, string>> {
  const given = process.env["OARLOCK_TARBALLS"];
  if (given === undefined) await packChanged();
  const folder = given ?? TARBALLS;
  return new Map(readPackageList(folder).map(({ name, file }) => [name, resolve(folder, file)]));
}

async function packChanged(): Promise<void> {
  const unbuilt = publishedFolders().filter((folder) => !existsSync(join(root, folder, "dist")));
  if (unbuilt.length > 0) throw new Error(`${unbuilt.join(", ")}: not built, run pnpm build first`);
  const state = stateOfFiles();
  await makeOnce(
    join(CACHE, "packed-from"),
    () => `${state} ${existsSync(join(TARBALLS, "packages.json"))}`,
    async () => {
      rmSync(TARBALLS, { recursive: true, force: true });
      mkdirSync(TARBALLS, { recursive: true });
      await packAll(TARBALLS);
    },
  );
}

/** A digest of what is packed: paths, sizes and times of change. */
function stateOfFiles(): string {
  const patterns = publishedFolders().map((folder) => `${folder}/{*,{dist,skills}/**/*}`);
  const entries = globSync(["LICENSE", "pnpm-workspace.yaml", ...patterns], { cwd: root, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digest = createHash("sha256");
  for (const file of files.toSorted()) {
    const { size, mtimeMs } = statSync(file);
    digest.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  return digest.digest("hex");
}
