// Broken event streams, and streams that end without a result: the official clients reconnect until they must
// stop. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
import { fileURLToPath, pathToFileURL } from "node:url";
import { TcpProxy } from "@oarlock-tooling/test-support/tcp-proxy";
import { tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { binary } from "./support/built-server.ts";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { textOf, type Handlers, type Official } from "./support/official-client.ts";
import { connectV1, httpV1 } from "./support/sdk-v1.ts";
import { connectV2, httpV2 } from "./support/sdk-v2.ts";

/** The largest tree that is at hand: a search in it takes long enough to be given up. */
const LARGE = fileURLToPath(new URL("../../../node_modules", import.meta.url));
/** Only ends what hangs. */
const SOON = { timeout: 60_000, interval: 20 };

type Fetch = typeof globalThis.fetch;
type Connect = (url: URL, handlers: Handlers, fetch?: Fetch) => Promise<Official>;

const v1: Connect = (url, handlers, fetch) => connectV1(httpV1(url, {}, fetch), "2025-11-25", handlers);
const v2: Connect = (url, handlers, fetch) => connectV2(httpV2(url, {}, fetch), { mode: "legacy" }, handlers);

/** The first generation takes an answer for none when it is an error, and asks for the rest of its stream as well. */
const ASKING = [
  ["SDK v1", v1, 3],
  ["SDK v2", v2, 2],
] as const;

/** What the first generation says of progress that was on its way when it gave up. */
const TOLD_TOO_LATE = "progress notification for an unknown token";

test.concurrent.each(ASKING)("HTTP-34 %s does not keep reconnecting to complete streams", async (_, connect, times) => {
  await using server = await startOverHttp(binary(`${LARGE}:ro`));
  const takenUp: { stream: string | undefined; status: number }[] = [];
  const client = await connect(server.url, {}, async (url, init) => {
    const response = await fetch(url, init);
    const after = new Headers(init?.headers).get("last-event-id");
    if (after !== null) takenUp.push({ stream: after.split("-")[0], status: response.status });
    return response;
  });
  const cancelled = async () => {
    const search = new AbortController();
    const options = { signal: search.signal, onProgress: () => search.abort("seen enough") };
    await expect(client.call("search_files", { path: LARGE, pattern: "**/nothing-of-this-name" }, options)).rejects.toThrow("seen enough");
  };
  await cancelled();
  await vi.waitFor(() => expect(takenUp).toHaveLength(1), SOON);
  await expect(client.call("no_such_tool", {}, { onProgress: () => undefined })).rejects.toThrow("no_such_tool");
  // A second try for an earlier stream would come before the first try for this one.
  await cancelled();
  await vi.waitFor(() => expect(new Set(takenUp.map(({ stream }) => stream)).size).toBe(times), SOON);
  expect(takenUp.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 405));
  expect(client.faults.filter((fault) => !fault.includes(TOLD_TOO_LATE))).toEqual([]);
  await client.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});

/** What the clients say of a line that breaks. */
const BROKEN = /^SSE stream disconnected: TypeError: terminated$/;

test.concurrent.each([
  ["SDK v1", v1],
  ["SDK v2", v2],
] as const)("HTTP-28 %s gets its answer and its news, though the line breaks while it is asked", async (_, connect) => {
  await using folder = tempFolder({ "a.txt": "a", "b.txt": "b" });
  await using server = await startOverHttp(binary(folder.path));
  await using line = await TcpProxy.start(server.url);
  const client = await connect(line.through(server.url), {
    async elicit() {
      line.interrupt();
      // Both its streams. An answer that goes into the broken line is lost for good: the client does not send it again.
      await vi.waitFor(() => expect(client.faults).toHaveLength(2), SOON);
      return { action: "accept", content: { confirm: true } };
    },
  });
  const uri = pathToFileURL(folder.at("b.txt")).href;
  await client.subscribe(uri);
  const { content } = await client.call("move_file", { source: "a.txt", destination: "b.txt", overwrite: true });
  expect(textOf(content)).toBe("Successfully moved a.txt to b.txt");
  await vi.waitFor(() => expect(client.updated).toContain(uri), SOON);
  expect(client.faults.filter((fault) => !BROKEN.test(fault))).toEqual([]);
  await client.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});

test("HTTP-30 SUB-19 a stream of the stateless era ends with its connection, and the next one carries what follows", async () => {
  await using folder = tempFolder({ "a.txt": "a" });
  await using server = await startOverHttp(binary(folder.path));
  await using line = await TcpProxy.start(server.url);
  const client = await connectV2(httpV2(line.through(server.url)), { mode: "auto" }, {});
  const uri = pathToFileURL(folder.at("a.txt")).href;
  const news = await client.listen({ resourceSubscriptions: [uri] });
  line.interrupt();
  expect(await news.ended).toBe("remote");
  const again = await client.listen({ resourceSubscriptions: [uri] });
  folder.write({ "a.txt": "changed" });
  await vi.waitFor(() => expect(client.updated).toContain(uri), SOON);
  await again.close();
  await client.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});
