/**
 * List of packed packages, which goes with the tarballs from the job that packs them to the tests, the registry and the release: whoever uses
 * a tarball compares it with the list, and the list with the digest that the packing job gave out. Imports nothing that must be installed.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the tarball, in the folder of the list. */
  readonly file: string;
  /** In the form of a registry: `sha512-` and Base64. */
  readonly integrity: string;
}

const LIST = "packages.json";

export const integrityOf = (content: Uint8Array): string => `sha512-${createHash("sha512").update(content).digest("base64")}`;

/** Lists the tarballs of `folder`, in the given order. */
export function writePackageList(folder: string, packed: readonly Omit<PackedPackage, "integrity">[]): void {
  const list = packed.map((one) => ({ ...one, integrity: integrityOf(readFileSync(join(folder, one.file))) }));
  writeFileSync(join(folder, LIST), `${JSON.stringify(list, undefined, 2)}\n`);
}

/**
 * The packages of a folder. Throws unless the tarballs there are those of the list, and the list has the digest, SHA-256 in hexadecimal.
 * `digest`: left out where the folder is our own.
 */
export function readPackageList(folder: string, digest?: string): readonly PackedPackage[] {
  const text = readFileSync(join(folder, LIST));
  const found = createHash("sha256").update(text).digest("hex");
  if (digest !== undefined && found !== digest)
    throw new Error(`${LIST} has the digest ${found}: expected ${digest || "one"}. Download the packages of this run again.`);
  const list = JSON.parse(text.toString()) as PackedPackage[]; // written above
  const different = list.filter(({ file, integrity }) => integrityOf(readFileSync(join(folder, file))) !== integrity);
  const listed = new Set(list.map(({ file }) => file));
  const unknown = globSync("*.tgz", { cwd: folder }).filter((file) => !listed.has(file));
  const wrong = [...different.map(({ file }) => file), ...unknown];
  if (list.length === 0 || wrong.length > 0)
    throw new Error(`Tarballs differ from ${LIST}: ${wrong.join(", ") || "none is listed"}. Publish none of them; pack and test again.`);
  return list;
}
