/** Repository: folders and manifests. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { About } from "./about.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Manifest {
  name: string;
  version: string;
  description: string;
  engines: { node: string };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [member: string]: unknown;
}

/** Folders below the root, or below another one, of all packages that are published, in the order of their names. */
export const publishedFolders = (at = root): string[] =>
  globSync("{packages,servers}/*/package.json", { cwd: at })
    .map((file) => dirname(file))
    .filter((folder) => manifestOf(join(at, folder))["private"] !== true)
    .toSorted((a, b) => a.localeCompare(b));

export const folderOf = ({ name }: About, at = root): string => join(at, "servers", name);
export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest; // our own
