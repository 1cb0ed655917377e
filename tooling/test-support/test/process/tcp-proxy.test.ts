/** The proxy in front of a TCP server that echoes. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TcpProxy } from "../../src/process/tcp-proxy.ts";

let proxy: TcpProxy;
let atEngine = "";
const engine = createServer((socket) => {
  socket
    .on("error", () => undefined)
    .on("data", (data) => {
      atEngine += String(data);
      socket.write(data);
    });
});
const sockets: Socket[] = [];

beforeEach(async () => {
  atEngine = "";
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  proxy = await TcpProxy.start(`tcp://127.0.0.1:${(engine.address() as AddressInfo).port}`);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy[Symbol.asyncDispose]();
  await new Promise((resolve) => engine.close(resolve));
});

async function node() {
  const socket = connect(proxy.port, "127.0.0.1");
  sockets.push(socket);
  const seen = { text: "", closed: false };
  socket.setEncoding("utf8").on("data", (text: string) => (seen.text += text));
  socket.on("error", () => undefined).on("close", () => (seen.closed = true));
  // A refused connection may be reset before it is reported as open.
  await once(socket, "connect").catch(() => undefined);
  return { socket, seen };
}

/**
 * Resolves once data that was sent before would have arrived: echoes of the engine have come back that the proxy had nothing to do with, more
 * of them than a message needs turns of the event loop on its way through the proxy and back.
 */
async function directEchoes(): Promise<void> {
  const socket = connect((engine.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  for (let count = 0; count < 20; count++) {
    socket.write(".");
    await once(socket, "data");
  }
}

/** What the engine got through the proxy. */
const arrived = (): string => atEngine.replaceAll(".", "");

test("passes both directions on", async () => {
  const { socket, seen } = await node();
  socket.write("a");
  await directEchoes();
  expect([arrived(), seen.text]).toEqual(["a", "a"]);
});

test.each([
  ["both", "", ""],
  ["to-server", "", ""],
  ["to-client", "a", ""],
] as const)("holds %s until it heals", async (direction, engineGets, nodeGets) => {
  const { socket, seen } = await node();
  proxy.hold(direction);
  socket.write("a");
  await directEchoes();
  expect([arrived(), seen.text, seen.closed]).toEqual([engineGets, nodeGets, false]);
  proxy.heal();
  await expect.poll(() => seen.text).toBe("a");
});

test("holds new connections, too", async () => {
  proxy.hold();
  const { socket, seen } = await node();
  socket.write("a");
  await directEchoes();
  expect([arrived(), seen.closed]).toEqual(["", false]);
  proxy.heal();
  await expect.poll(() => seen.text).toBe("a");
});

test("breaks connections and refuses new ones until it heals", async () => {
  const first = await node();
  proxy.cut();
  await expect.poll(() => first.seen.closed).toBe(true);
  const second = await node();
  await expect.poll(() => second.seen.closed).toBe(true);
  proxy.heal();
  const { socket, seen } = await node();
  socket.write("a");
  await expect.poll(() => seen.text).toBe("a");
});
