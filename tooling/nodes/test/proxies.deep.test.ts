/** nginx and Caddy with the files of the example: TLS, prefix, sizes, event streams, public pages, and the transport of 2024-11-05. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { connect } from "@oarlock/client";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { nodeProgram, startOverHttp, type ListeningServer } from "@oarlock-tooling/test-support/server-process";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingProxy, PROXIES, ProxyProgram, type NodePorts } from "../src/proxy/proxy-program.ts";

const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

describe.each(PROXIES)("%s", (name) => {
  const skipReason = missingProxy(name);

  describe("in front of one process", skipReason === undefined ? {} : { skip: true, meta: { skipReason } }, () => {
    let ports: NodePorts;
    let proxy: ProxyProgram;
    let folder: TempFolder;
    let server: ListeningServer;

    const start = async (...args: string[]): Promise<ListeningServer> => {
      const operations = ["--ops-port", String(ports.operations), "--drain-ms=0"];
      const address = ["--public-url", proxy.url, "--trusted-proxies", "127.0.0.1"];
      const program = nodeProgram(builtServer("sqlite", "--db-path", folder.at("shop.db"), ...operations, ...address, ...args));
      const started = await startOverHttp(program, ports.http);
      await proxy.untilServed();
      return started;
    };

    beforeAll(async () => {
      ports = { http: await freePort(), operations: await freePort() };
      folder = tempFolder();
      proxy = await ProxyProgram.start(name, ports);
      server = await start("--legacy-sse");
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      await proxy?.[Symbol.asyncDispose]();
      await folder?.[Symbol.asyncDispose]();
    });

    test.each(["2025-11-25", "2026-07-28"])("serves %s over TLS below a prefix, with messages of 3 MiB", async (revision) => {
      await using client = await connect({ url: proxy.url }, { revision });
      const { content } = await client.call("read_query", { query: "SELECT 1".padEnd(3 * 1024 * 1024) });
      expect(JSON.stringify(content)).toContain("it has 3145728 characters"); // more than sqlite takes, but it has arrived
    });

    test("passes the events of 2024-11-05 on at once, whose address for messages keeps the prefix", async () => {
      const client = new Client({ name: "old", version: "1" });
      await client.connect(new SSEClientTransport(new URL(proxy.url.replace(/mcp$/, "sse"))));
      const { content } = await client.callTool({ name: "read_query", arguments: { query: "SELECT 6 * 7 AS n" } });
      expect(JSON.stringify(content)).toContain("42");
      await client.close();
    });

    test("ends a call whose client has disconnected", async () => {
      await using client = await connect({ url: proxy.url }, { revision: "2026-07-28" });
      const running = async (): Promise<string | undefined> => {
        const metrics = await (await fetch(`http://127.0.0.1:${ports.operations}/metrics`)).text();
        return /^oarlock_requests_running (\d+)$/m.exec(metrics)?.[1];
      };
      const abort = new AbortController();
      const call = client.call("read_query", { query: ENDLESS }, { signal: abort.signal }).catch(() => "disconnected");
      await expect.poll(running).toBe("1");
      abort.abort();
      expect(await call).toBe("disconnected");
      await expect.poll(running).toBe("0");
    });

    test("forwards the metadata of the login, the card and the catalog, which name the public address", async () => {
      await server.terminate();
      server = await start("--oauth-issuer", "https://login.example");
      const { origin } = new URL(proxy.url);
      const json = async (url: string): Promise<unknown> => (await fetch(url)).json();
      const refused = await fetch(proxy.url, { method: "POST", body: "{}" });
      expect(refused.status).toBe(401);
      const metadata = `${origin}/.well-known/oauth-protected-resource/shop/mcp`;
      expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata}"`);
      expect(await json(metadata)).toMatchObject({ resource: proxy.url, authorization_servers: ["https://login.example"] });
      expect(await json(`${proxy.url}/server-card`)).toMatchObject({ remotes: [{ url: proxy.url }] });
      expect(await json(`${origin}/.well-known/ai-catalog.json`)).toMatchObject({ entries: [{ url: `${proxy.url}/server-card` }] });
    });
  });
});
