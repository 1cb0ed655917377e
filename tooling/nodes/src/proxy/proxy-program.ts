/** nginx or Caddy with the file of the example, in front of nodes that listen on addresses of their own. Linux only: 127.0.0.2 and so on. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { ServerProcess } from "@oarlock-tooling/test-support/server-process";
import { tempFolder, type TempFolder } from "@oarlock/testing";

export const PROXIES = ["nginx", "caddy"] as const;
export type ProxyName = (typeof PROXIES)[number];

/** Where the nodes of a service listen: each on the same two ports of an address of its own. */
export interface NodePorts {
  readonly http: number;
  readonly operations: number;
}

/** The address of a node: n1 has 127.0.0.1. */
export const addressOf = (node: string): string => `127.0.0.${node.slice(1)}`;

const FILES = { nginx: "nginx.conf", caddy: "Caddyfile" };
const PLACES = { nginx: ["/usr/sbin/nginx"], caddy: ["/usr/bin/caddy"] };

/** Why tests with a proxy are skipped; undefined where it runs. */
export function missingProxy(name: ProxyName): string | undefined {
  if (!PLACES[name].some((path) => existsSync(path))) return `${name} is not installed`;
  return existsSync("/usr/bin/openssl") ? undefined : "openssl is not installed";
}

export class ProxyProgram implements AsyncDisposable {
  readonly url: string;
  readonly #name: ProxyName;
  readonly #port: number;
  readonly #nodes: NodePorts;
  readonly #folder: TempFolder;
  #process: ServerProcess | undefined;

  private constructor(name: ProxyName, port: number, nodes: NodePorts) {
    this.#name = name;
    this.#port = port;
    this.#nodes = nodes;
    this.#folder = tempFolder();
    this.url = `https://localhost:${port}/shop/mcp`;
  }

  /** Resolves when it listens. This process trusts its certificate from then on. */
  static async start(name: ProxyName, nodes: NodePorts): Promise<ProxyProgram> {
    const proxy = new ProxyProgram(name, await freePort(), nodes);
    proxy.#makeCertificate();
    proxy.#write();
    proxy.#process = new ServerProcess({ command: PLACES[name][0] ?? name, args: proxy.#args(), env: { HOME: proxy.#folder.path } });
    await proxy.#process.accepts(proxy.#port);
    return proxy;
  }

  /** Resolves when the proxy has found a node: Caddy asks for its readiness each second. */
  async untilServed(): Promise<void> {
    while ((await fetch(this.url, { method: "POST" })).status >= 500) await sleep(50);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }

  #args(): string[] {
    const file = this.#folder.at(FILES[this.#name]);
    if (this.#name === "caddy") return ["run", "--adapter", "caddyfile", "--config", file];
    const user = process.getuid?.() === 0 ? " user root;" : ""; // its workers write large bodies into our folder
    return ["-c", file, "-e", "stderr", "-g", `daemon off; pid ${this.#folder.at("pid")};${user}`];
  }

  /** The file of the example with the names, ports and paths of this run. */
  #write(): void {
    const { http, operations } = this.#nodes;
    const text = readFileSync(fileURLToPath(new URL(`../../../../examples/many-nodes/${FILES[this.#name]}`, import.meta.url)), "utf8");
    const here = text
      .replaceAll(/node(\d):3920/g, (_, number) => `${addressOf(`n${number}`)}:${http}`)
      .replaceAll("9920", String(operations))
      .replaceAll(/\/etc\/(nginx|caddy)\/tls/g, this.#folder.path)
      .replace("listen 443", `listen 127.0.0.1:${this.#port}`)
      .replace("\nhttp {", `\nhttp {\n  access_log off;\n  client_body_temp_path ${this.#folder.at("bodies")};`)
      .replace("server_name mcp.example", "server_name localhost")
      .replace("\nmcp.example {", `\nhttps://localhost:${this.#port} {`);
    const global = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n";
    writeFileSync(this.#folder.at(FILES[this.#name]), this.#name === "caddy" ? global + here : here);
  }

  #makeCertificate(): void {
    const [key, certificate] = [this.#folder.at("key.pem"), this.#folder.at("cert.pem")];
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
    execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", certificate], { stdio: "ignore" });
    setDefaultCACertificates([...getCACertificates("default"), readFileSync(certificate, "utf8")]);
  }
}
