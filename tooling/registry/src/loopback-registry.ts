// A package registry on loopback. It has our packages, as packed for publication; requests for others go to the registry that npm uses here.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly content: Buffer;
  readonly file: string;
}

export interface LoopbackRegistry extends AsyncDisposable {
  readonly url: string;
  /** Names of our packages that were downloaded, in order. */
  readonly downloads: readonly string[];
  /** Answers no more requests for packages of others, as without a network. */
  cutOff(): void;
}

/** Serves these tarballs. */
export async function startRegistry(tarballs: readonly string[]): Promise<LoopbackRegistry> {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const packages = new Map(tarballs.map(read).map((packed) => [packed.manifest.name, packed]));
  const downloads: string[] = [];
  let isCutOff = false;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url?.split("?")[0] ?? "/").slice(1);
    const file = [...packages.values()].find((packed) => path === `-/${packed.file}`);
    const packed = packages.get(path);
    if (file !== undefined) {
      downloads.push(file.manifest.name);
      response.end(file.content);
    } else if (packed !== undefined) sendJson(response, packumentOf(packed, origin));
    else if (isCutOff) response.writeHead(503).end();
    else response.writeHead(302, { location: new URL(request.url?.slice(1) ?? "", upstream).href }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    url: `${origin}/`,
    downloads,
    cutOff: () => void (isCutOff = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function read(tarball: string): Packed {
  const text = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  return { manifest: JSON.parse(text) as Packed["manifest"], content: readFileSync(tarball), file: basename(tarball) }; // packed by us
}

/** What a registry tells of a package with one version. */
function packumentOf({ manifest, content, file }: Packed, origin: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const dist = { tarball: `${origin}/-/${file}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
