/** Where things stand in this repository. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { About } from "./about.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Manifest {
  name: string;
  version: string;
  description: string;
  engines: { node: string };
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [member: string]: unknown;
}

export const folderOf = ({ name }: About, at = root): string => join(at, "servers", name);
export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest; // our own
