// A package registry on the loopback interface with the installed packages of this repository and given tarballs: npm installs without a network.
import { execFileSync, spawn } from "node:child_process";
import { createReadStream, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

const STORE = fileURLToPath(new URL("../../../../node_modules/.pnpm", import.meta.url));

interface Manifest {
  name: string;
  version: string;
  optionalDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
interface StoredPackage {
  manifest: Manifest;
  /** A tarball, or a folder to make one of. */
  path: string;
}

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The names of requested packages that are missing, and not optional for any package. */
  readonly missed: ReadonlySet<string>;
}

export async function serveRegistry(tarballs: readonly string[]): Promise<Registry> {
  const stored = new Map([...installed(), ...packed(tarballs)].map((one) => [`${one.manifest.name}@${one.manifest.version}`, one]));
  const missed = new Set<string>();
  const optional = new Set([...stored.values()].flatMap(({ manifest }) => optionalPackages(manifest)));
  let url = "";
  const server = createServer((request, response) => {
    const [name = "", version] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    const one = stored.get(`${name}@${version}`);
    if (one !== undefined) {
      response.setHeader("cache-control", "max-age=31536000, immutable"); // a second installation takes it from the cache of npm
      void pipeline(contentOf(one.path), response).catch(() => response.destroy());
      return;
    }
    const versions = [...stored.values()].filter(({ manifest }) => manifest.name === name);
    if (versions.length === 0) {
      if (!optional.has(name)) missed.add(name);
      response.writeHead(404).end("{}");
      return;
    }
    response.end(JSON.stringify(packument(versions, (of) => `${url}/${encodeURIComponent(name)}/-/${of}`)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    missed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function optionalPackages({ optionalDependencies = {}, peerDependenciesMeta = {} }: Manifest): string[] {
  const peers = Object.entries(peerDependenciesMeta).filter(([, { optional }]) => optional === true);
  return [...Object.keys(optionalDependencies), ...peers.map(([name]) => name)];
}

function packument(versions: readonly StoredPackage[], tarballOf: (version: string) => string): object {
  const { name } = versions[0]!.manifest;
  const entries = versions.map(({ manifest }) => [manifest.version, { ...manifest, dist: { tarball: tarballOf(manifest.version) } }]);
  return { name, "dist-tags": { latest: versions.at(-1)!.manifest.version }, versions: Object.fromEntries(entries) };
}

/** What pnpm has installed: every folder, but no symbolic link, below a `node_modules` of its store. */
function* installed(): Iterable<StoredPackage> {
  for (const entry of readdirSync(STORE)) {
    const home = join(STORE, entry, "node_modules");
    for (const path of packagesIn(home)) yield { manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest, path };
  }
}

function* packagesIn(home: string): Iterable<string> {
  const entries = (() => {
    try {
      return readdirSync(home, { withFileTypes: true });
    } catch {
      return []; // the lock file of the store, or its own list of links
    }
  })();
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    if (entry.name.startsWith("@")) yield* packagesIn(join(home, entry.name));
    else yield join(home, entry.name);
  }
}

const packed = (tarballs: readonly string[]): StoredPackage[] =>
  tarballs.map((path) => ({
    manifest: JSON.parse(execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" })) as Manifest,
    path,
  }));

/** Where pnpm links from its store, equal files are one file under several names, and npm leaves out links. Elsewhere it clones. */
const LINKS_AS_FILES = process.platform === "linux" ? ["--hard-dereference"] : [];

/** A tarball unchanged; a folder as an uncompressed tarball, since compression takes the most time. */
function contentOf(path: string): NodeJS.ReadableStream {
  if (path.endsWith(".tgz")) return createReadStream(path);
  const words = [...LINKS_AS_FILES, "-cf", "-", "-C", dirname(path), basename(path)];
  return spawn("tar", words, { stdio: ["ignore", "pipe", "inherit"] }).stdout;
}
