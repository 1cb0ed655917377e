// Versions of packages, as a registry keeps them.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Stored {
  readonly manifest: Manifest;
  readonly content: Buffer;
  readonly file: string;
  readonly hasProvenance: boolean;
}

/** What `npm publish` sends: a packument with one version and its tarball. */
export interface PublishRequest {
  readonly name: string;
  readonly versions: Readonly<Record<string, Manifest>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** Package managers pass over versions of the last days, which may be malicious. */
const PUBLISHED_AT = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString();

export class PackageStore {
  /** By name, the oldest version first. */
  readonly #packages = new Map<string, Stored[]>();

  addTarball(tarball: string): void {
    const text = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
    this.#add(JSON.parse(text) as Manifest, readFileSync(tarball)); // packed by us
  }

  has(name: string, version: string): boolean {
    return this.#packages.get(name)?.some((stored) => stored.manifest.version === version) ?? false;
  }

  /** False where this version is there already. */
  publish({ name, versions, _attachments }: PublishRequest, hasProvenance = false): boolean {
    const [manifest] = Object.values(versions);
    const [attachment] = Object.values(_attachments);
    if (manifest === undefined || attachment === undefined) throw new Error(`Nothing is published of ${name}.`);
    if (this.has(name, manifest.version)) return false;
    this.#add(manifest, Buffer.from(attachment.data, "base64"), hasProvenance);
    return true;
  }

  latest(name: string): string | undefined {
    return this.#packages.get(name)?.at(-1)?.manifest.version;
  }

  tarball(file: string): { readonly name: string; readonly content: Buffer } | undefined {
    const found = [...this.#packages.values()].flat().find((stored) => stored.file === file);
    return found && { name: found.manifest.name, content: found.content };
  }

  /** What a registry tells of a package and its versions. */
  packument(name: string, origin: string): object | undefined {
    const stored = this.#packages.get(name);
    if (stored === undefined) return undefined;
    const versions = stored.map(({ manifest, content, file, hasProvenance }) => {
      const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
      const attestations = hasProvenance && { attestations: { provenance: { predicateType: "https://slsa.dev/provenance/v1" } } };
      return [manifest.version, { ...manifest, dist: { tarball: `${origin}-/${file}`, integrity, ...attestations } }] as const;
    });
    const times = Object.fromEntries(["created", "modified", ...versions.map(([version]) => version)].map((key) => [key, PUBLISHED_AT]));
    return { name, "dist-tags": { latest: this.latest(name) }, versions: Object.fromEntries(versions), time: times };
  }

  #add(manifest: Manifest, content: Buffer, hasProvenance = false): void {
    const { name, version } = manifest;
    const file = `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
    this.#packages.set(name, [...(this.#packages.get(name) ?? []), { manifest, content, file, hasProvenance }]);
  }
}
