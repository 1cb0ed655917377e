// A package registry on loopback. It has our packages, packed, published or staged there; others it passes on from the registry that npm uses here.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { closeServer, listenOn, portOf } from "@oarlock-tooling/test-support/loopback";
import { outputSync } from "@oarlock-tooling/test-support/run-program";
import { PackageStore, type PublishRequest } from "./package-store.ts";
import { StagingArea } from "./staging-area.ts";

/** Types of content that say something of a packument: npm asks for a short form. */
const PASSED_ON = ["accept", "if-none-match"];

export class LoopbackRegistry implements AsyncDisposable {
  /** Names of our packages that were downloaded, in order. */
  readonly downloads: string[] = [];
  /** Bytes of all tarballs that were downloaded, those of others included. */
  downloadedBytes = 0;
  readonly #store = new PackageStore();
  readonly staging = new StagingArea(this.#store);
  /** Fails requests that change something below this path, as an outage does. */
  outage: string | undefined;
  #foundUpstream: string | undefined;
  readonly #server: Server;
  #isCutOff = false;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(502);
        response.end(String(error));
      });
    });
  }

  /** The registry behind this one. Asked for at its first use: that starts npm. */
  get #upstream(): string {
    return (this.#foundUpstream ??= outputSync("npm", ["config", "get", "registry"]).trim());
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}/`;
  }

  /** Serves these tarballs. */
  static async start(tarballs: readonly string[] = []): Promise<LoopbackRegistry> {
    const registry = new LoopbackRegistry();
    registry.add(tarballs);
    await listenOn(registry.#server);
    return registry;
  }

  add(tarballs: readonly string[]): void {
    for (const tarball of tarballs) this.#store.addTarball(tarball);
  }

  /** The newest version of a package of ours; undefined where there is none. */
  latest(name: string): string | undefined {
    return this.#store.latest(name);
  }

  /** Answers no more requests for packages of others, as without a network. */
  cutOff(): void {
    this.#isCutOff = true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url?.split("?")[0] ?? "/").slice(1);
    const { method = "GET" } = request;
    if (method !== "GET" && this.outage !== undefined && path.startsWith(this.outage)) return sendJson(response, 400, { error: "Outage" });
    const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const secondFactor = request.headers["npm-otp"]?.toString();
    const answer = await this.staging.answer({ method, path, token, secondFactor, body: () => json(request) });
    if (answer !== undefined) return sendJson(response, answer.status, answer.body);
    const staged = this.staging.tarball(path);
    if (staged !== undefined) return this.#sendTarball(response, staged);
    if (method === "PUT") return this.#publish(request, response);
    const file = this.#store.tarball(path.replace(/^-\//, ""));
    if (file !== undefined) {
      this.downloads.push(file.name);
      return this.#sendTarball(response, file.content);
    }
    const packument = this.#store.packument(path, this.url);
    if (packument !== undefined) return sendJson(response, 200, packument);
    if (path.startsWith("@oarlock/")) return sendJson(response, 404, { error: "Not found" });
    if (this.#isCutOff) return sendJson(response, 503, { error: "No network" });
    await this.#passOn(request, response);
  }

  /** As a registry does, takes each version once. */
  async #publish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization === undefined) return sendJson(response, 401, { error: "Log in first" });
    const isNew = this.#store.publish((await json(request)) as PublishRequest); // as npm writes it
    if (isNew) sendJson(response, 201, { ok: true });
    else sendJson(response, 403, { error: "You cannot publish over the previously published versions." });
  }

  async #passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = PASSED_ON.flatMap((name) => (typeof request.headers[name] === "string" ? [[name, request.headers[name]]] : []));
    const found = await fetch(new URL(request.url?.slice(1) ?? "", this.#upstream), { headers: Object.fromEntries(headers) });
    const type = found.headers.get("content-type") ?? "application/octet-stream";
    if (found.status === 200 && !type.includes("json")) return this.#sendTarball(response, Buffer.from(await found.arrayBuffer()));
    // Tarballs come from here too, so that they are counted.
    const text = (await found.text()).replaceAll(/(?<="tarball":\s*")(https?:\/\/[^"]+)/g, (address) => this.#ownAddress(address));
    response.writeHead(found.status, { "content-type": type }).end(text);
  }

  /** The address here of a file of the registry behind this one, which may name another host for it. */
  #ownAddress(address: string): string {
    const path = address.startsWith(this.#upstream) ? address.slice(this.#upstream.length) : new URL(address).pathname.slice(1);
    return `${this.url}${path}`;
  }

  #sendTarball(response: ServerResponse, content: Buffer): void {
    this.downloadedBytes += content.length;
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": content.length }).end(content);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeServer(this.#server);
  }
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
