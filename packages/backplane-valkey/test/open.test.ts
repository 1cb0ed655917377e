// Opening a backplane: what rejects with one sentence, and what does not.
import { createServer, type AddressInfo, type Server } from "node:net";
import { startValkey } from "@oarlock-tooling/engines";
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { describe, expect, test } from "vitest";
import { valkeyBackplane } from "../src/index.ts";

/** The message of the rejection. */
const refusal = (url: string): Promise<string> =>
  valkeyBackplane(url).then(
    async (backplane) => {
      await backplane.close();
      return "opened";
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** A server that sends the same text to each client. */
async function startServer(text: string): Promise<Server & { readonly port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write(text));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return Object.assign(server, { port });
}

describe("an address that never works", () => {
  test.each([
    ["mysql://secret@127.0.0.1", "The address of the engine must look like valkey://host:6379, redis://host:6379 or rediss://host:6379."],
    ["secret", "The address of the engine must look like valkey://host:6379, redis://host:6379 or rediss://host:6379."],
    ["valkey://:secret@127.0.0.1/a", "The path of the engine's address must be the number of a database, such as valkey://host:6379/1."],
    ["valkey://:secret@no.such.host.invalid", "The host of the engine, no.such.host.invalid:6379, does not exist."],
  ])("rejects %s", async (url, message) => {
    expect(await refusal(url)).toBe(message);
  });

  test("rejects a server that is neither Valkey nor Redis", async () => {
    await using server = await startServer("HTTP/1.1 400 Bad Request\r\n\r\n");
    expect(await refusal(`valkey://127.0.0.1:${server.port}`)).toBe(`The server at 127.0.0.1:${server.port} is neither Valkey nor Redis.`);
  });

  test("rejects an engine that is too old", async () => {
    await using server = await startServer("-ERR unknown command `HELLO`, with args beginning with: \r\n");
    const tooOld = `The engine at 127.0.0.1:${server.port} is too old: Valkey, or Redis 7.0 or later, is needed.`;
    expect(await refusal(`valkey://127.0.0.1:${server.port}`)).toBe(tooOld);
  });
});

const describeEngine = await describeValkey({ own: true });

describeEngine("an engine", () => {
  test("with a password refuses other passwords, and none", async () => {
    await using engine = await startValkey({ own: true, password: "p@ss w/rd" });
    const { host } = new URL(engine.url);
    const message = `The engine at ${host} refuses the user or password.`;
    expect(await refusal(`valkey://${host}`)).toBe(message);
    expect(await refusal(`valkey://:secret@${host}`)).toBe(message);
    expect(await refusal(`valkey://someone:secret@${host}`)).toBe(message);
    await using backplane = closing(await valkeyBackplane(`valkey://:${encodeURIComponent("p@ss w/rd")}@${host}`));
    expect(await backplane.put("a", "", { ttlMs: 60_000 })).toBe(1);
  });

  test("without the database of the address refuses it", async () => {
    await using engine = await startValkey({ own: true });
    const { host } = new URL(engine.url);
    expect(await refusal(`${engine.url}/99`)).toBe(`The engine at ${host} has no database with the number of the address.`);
  });

  test("keeps the databases and prefixes of several deployments apart", async () => {
    await using engine = await startValkey({ own: true });
    await using one = closing(await valkeyBackplane(engine.url, { prefix: "one" }));
    await using two = closing(await valkeyBackplane(engine.url, { prefix: "two" }));
    await using three = closing(await valkeyBackplane(engine.url.replace("valkey:", "redis:") + "/1", { prefix: "one" }));
    await one.put("key", "one", { ttlMs: 60_000 });
    expect([await two.get("key"), await three.get("key")]).toEqual([undefined, undefined]);
    const messages: string[] = [];
    await two.subscribe(
      "key",
      (text) => messages.push(text),
      () => {},
    );
    await one.publish("key", "of one");
    await two.publish("key", "of two");
    await expect.poll(() => messages).toEqual(["of two"]);
  });

  test("that is away at the start and refuses later makes calls reject with the reason", async () => {
    await using engine = await startValkey({ own: true, password: "correct" });
    const { host } = new URL(engine.url);
    await engine.kill();
    await using backplane = closing(await valkeyBackplane(`valkey://:wrong@${host}`));
    await expect(backplane.get("a")).rejects.toThrow(`The engine at ${host} does not answer.`);
    await engine.restart();
    await expect
      .poll(() =>
        backplane.get("a").then(
          () => "",
          (error: Error) => error.message,
        ),
      )
      .toBe(`The engine at ${host} refuses the user or password.`);
    expect(backplane.isUp).toBe(false);
  });
});

const closing = <T extends { close(): Promise<void> }>(backplane: T): T & AsyncDisposable =>
  Object.assign(backplane, { [Symbol.asyncDispose]: () => backplane.close() });
