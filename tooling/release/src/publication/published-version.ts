/** What a registry has published. Imports nothing that must be installed. */
import type { PackedPackage } from "./package-list.ts";

/** `different`: the registry has this version with another content than the tested tarball. */
export type PublishedState = "missing" | "different" | "without provenance" | "published";

interface PublishedVersion {
  readonly dist: { readonly integrity: string; readonly attestations?: { readonly provenance?: { readonly predicateType: string } } };
}

const PROVENANCE = /^https:\/\/slsa\.dev\/provenance\/v1/;

/** Asks for a version of a package, at the address of a registry. Its signature is checked by `npm audit signatures`, which needs an installation. */
export async function publishedState(registry: string, { name, version, integrity }: PackedPackage): Promise<PublishedState> {
  const found = (await publishedVersions(registry, name))?.[version]?.dist;
  if (found === undefined) return "missing";
  if (found.integrity !== integrity) return "different";
  return PROVENANCE.test(found.attestations?.provenance?.predicateType ?? "") ? "published" : "without provenance";
}

/** The published versions of a package; undefined where the registry does not know its name. */
export async function publishedVersions(registry: string, name: string): Promise<Readonly<Record<string, PublishedVersion>> | undefined> {
  const response = await fetch(new URL(name.replace("/", "%2f"), registry), { headers: { "cache-control": "no-cache" } });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The registry answered ${response.status} for ${name}. Try again later.`);
  const { versions = {} } = (await response.json()) as { versions?: Record<string, PublishedVersion> }; // as registries document it
  return versions;
}
