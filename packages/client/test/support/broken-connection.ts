// A connection that breaks between a client and a server of the kit.
import { connect as dial, createServer, type AddressInfo, type Socket } from "node:net";
import { expect } from "vitest";
import { defineServer, tool, type Server } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { findRevision } from "@oarlock/server-kit/protocol";
import { connect } from "./connect-session.ts";

/** Forwards bytes to a port, and cuts all connections on request. */
async function line(port: number): Promise<{ url: string; cut(): void } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = dial(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy()).on("close", () => (sockets.delete(from), to.destroy()));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Breaks the connection during a call, and before a notification: neither is lost. */
export async function expectNothingLost(revision: string): Promise<void> {
  const go = Promise.withResolvers<void>();
  const walk = tool({
    name: "walk",
    async run(_, ctx) {
      ctx.progress(1);
      await go.promise;
      ctx.progress(2);
      return "arrived";
    },
  });
  const server: Server = defineServer({ name: "s", version: "1", tools: [walk] });
  const served = await serveHttp(server, { port: 0, http: { retryMs: 20 } });
  {
    await using wire = await line(served.port);
    const faults: string[] = [];
    const lists: string[] = [];
    await using client = await connect(wire, {
      revision,
      onFault: (what) => faults.push(what),
      onListChanged: (list) => lists.push(list),
    });
    await expect.poll(() => served.counts().streams).toBe(1);
    const heard: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => {
      heard.push(progress);
      if (progress === 1) setImmediate(() => (wire.cut(), go.resolve()));
    };
    expect(await client.call("walk", {}, { onProgress })).toEqual({ content: [{ type: "text", text: "arrived" }] });
    expect(heard).toEqual([1, 2]);
    wire.cut();
    // Where streams do not begin with an id, what is written to a broken one before anything came on it is lost.
    if (findRevision(revision)?.facts.primingEvent !== true) await expect.poll(() => served.counts().streams).toBe(0);
    server.tools.add(tool({ name: "new", run: () => "new" }));
    await expect.poll(() => lists, { timeout: 20_000 }).toEqual(["tools"]);
    expect(faults).toEqual([]);
    expect(served.counts().sessions).toBe(1);
  }
  await served.stop();
}
