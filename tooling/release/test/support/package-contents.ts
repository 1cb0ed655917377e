/** What a package holds, packed and installed. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";

/** What is installed below a folder: packages by name, and bytes on disk. */
export function weigh(folder: string): { packages: string[]; bytes: number } {
  const modules = join(folder, "node_modules");
  const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as { packages: Record<string, object> }; // npm's own
  const packages = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ""));
  const files = globSync("**/*", { cwd: modules, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return { packages: packages.toSorted(), bytes };
}

export const filesOf = (tarball: string): Promise<string[]> =>
  outputOf("tar", ["-tzf", tarball]).then((listed) => listed.trim().split("\n").toSorted());
