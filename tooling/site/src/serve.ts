// Serves the built site on loopback, as GitHub Pages does: `/page` is the file `page.html`, and text is compressed.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createGzip } from "node:zlib";
import { closeServer, listenOn } from "@oarlock-tooling/test-support/loopback";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

/** Formats that are compressed already. */
const COMPRESSED = [".png", ".woff2"];

export interface ServedSite extends AsyncDisposable {
  readonly origin: string;
}

export async function serveSite(folder: string): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const file = fileOf(folder, decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
    if (file === undefined) return response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
    const type = { "content-type": TYPES[extname(file)] ?? "text/plain; charset=utf-8" };
    if (COMPRESSED.includes(extname(file))) return createReadStream(file).pipe(response.writeHead(200, type));
    response.writeHead(200, { ...type, "content-encoding": "gzip" });
    return createReadStream(file).pipe(createGzip()).pipe(response);
  });
  return { origin: `http://127.0.0.1:${await listenOn(server)}`, [Symbol.asyncDispose]: () => closeServer(server) };
}

/** The file behind a path of the site; undefined where there is none. */
export function fileOf(folder: string, path: string): string | undefined {
  const plain = join(folder, normalize(path));
  const candidates = [plain, `${plain}.html`, join(plain, "index.html")];
  return candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
