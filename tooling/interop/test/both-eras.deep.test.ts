// One running server with unmodified clients of both eras at the same time.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { pathToFileURL } from "node:url";
import { tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { binary } from "./support/built-server.ts";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { textOf, type Decision, type Handlers } from "./support/official-client.ts";
import { connectV1, httpV1 } from "./support/sdk-v1.ts";
import { connectV2, httpV2 } from "./support/sdk-v2.ts";

/** A look at the files goes round every second; a loaded machine may take its time. */
/** Only ends what hangs. */
const SOON = { timeout: 60_000, interval: 20 };

const DENIED = expect.stringContaining("Access denied");

const older = (url: URL, handlers: Handlers = {}) => connectV1(httpV1(url), "2025-11-25", handlers);
const newer = (url: URL, handlers: Handlers = {}) => connectV2(httpV2(url), { mode: "auto" }, handlers);

const uriOf = (path: string): string => pathToFileURL(path).href;
const yes: Decision = { action: "accept", content: { confirm: true } };

test("DISC-19 DISC-21 HTTP-38 parallel calls of both get their own answers", async () => {
  await using folder = tempFolder(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `number ${at}`])));
  await using server = await startOverHttp(binary(folder.path));
  const clients = [await older(server.url), await newer(server.url)];
  expect(clients.map(({ revision }) => revision)).toEqual(["2025-11-25", "2026-07-28"]);
  const numbers = Array.from({ length: 30 }, (_, at) => at);
  const answers = numbers.flatMap((at) =>
    clients.map(async (client) => textOf((await client.call("read_text_file", { path: `${at}.txt` })).content.slice(0, 1))),
  );
  expect(await Promise.all(answers)).toEqual(numbers.flatMap((at) => [`number ${at}`, `number ${at}`]));
  const [names, sameNames] = await Promise.all(clients.map(async (client) => (await client.tools()).map(({ name }) => name)));
  expect(names).toEqual(sameNames);
  expect(clients.map(({ faults }) => faults)).toEqual([[], []]);
  for (const client of clients) await client.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null, stderr: expect.stringMatching(/^listening on .+\n$/) });
});

test("DISC-19 ELIC-37 both answer an elicitation at the same time, each for its own call", async () => {
  await using folder = tempFolder({ "a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d" });
  await using server = await startOverHttp(binary(folder.path));
  const asked: string[] = [];
  const both = Promise.withResolvers<void>();
  const answering = (answer: Decision): Handlers => ({
    async elicit({ message }) {
      if (asked.push(message) === 2) both.resolve();
      await both.promise;
      return answer;
    },
  });
  const first = await older(server.url, answering({ action: "decline" }));
  const second = await newer(server.url, answering(yes));
  const [refused, moved] = await Promise.all([
    first.call("move_file", { source: "a.txt", destination: "b.txt", overwrite: true }),
    second.call("move_file", { source: "c.txt", destination: "d.txt", overwrite: true }),
  ]);
  expect(asked.toSorted()).toEqual(["b.txt by a.txt", "d.txt by c.txt"].map((what) => `Replace ${what}? What is there now is lost.`));
  expect([refused, moved].map(({ isError }) => isError ?? false)).toEqual([true, false]);
  expect(["a.txt", "b.txt", "d.txt"].map((name) => folder.read(name))).toEqual(["a", "b", "c"]);
  await first.close();
  await second.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});

test("SUB-02 SUB-18 CACHE-14 each client is notified of the file that the other writes, and of no other", async () => {
  await using folder = tempFolder({ "by-older.txt": "1", "by-newer.txt": "1" });
  await using server = await startOverHttp(binary(folder.path));
  const [first, second] = [await older(server.url), await newer(server.url)];
  const [byOlder, byNewer] = [uriOf(folder.at("by-older.txt")), uriOf(folder.at("by-newer.txt"))];
  await first.subscribe(byNewer);
  const news = await second.listen({ resourceSubscriptions: [byOlder] });
  await second.call("write_file", { path: "by-newer.txt", content: "22" });
  await vi.waitFor(() => expect(first.updated).toContain(byNewer), SOON);
  expect(await first.read(byNewer)).toMatchObject([{ text: "22" }]);
  await first.call("write_file", { path: "by-older.txt", content: "333" });
  await vi.waitFor(() => expect(second.updated).toContain(byOlder), SOON);
  expect(await second.read(byOlder)).toMatchObject([{ text: "333" }]);
  expect([new Set(first.updated), new Set(second.updated)]).toEqual([new Set([byNewer]), new Set([byOlder])]);
  await news.close();
  await first.unsubscribe(byNewer);
  expect([first.faults, second.faults]).toEqual([[], []]);
  await first.close();
  await second.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});

test("ROOTS-11 META-11 LOG-16 roots, capabilities and log level of one client do not affect others", async () => {
  await using folder = tempFolder({ east: { "e.txt": "east" }, west: { "w.txt": "west" } });
  await using server = await startOverHttp(binary(folder.path));
  const rooted = (name: string): Handlers => ({ roots: () => [{ uri: uriOf(folder.at(name)) }] });
  const clients = [await older(server.url, rooted("east")), await newer(server.url, rooted("west")), await newer(server.url)];
  await clients[0]!.setLevel("debug");
  const seen = await Promise.all(
    clients.flatMap((client) =>
      ["east/e.txt", "west/w.txt"].map(async (path) =>
        textOf((await client.call("read_text_file", { path: folder.at(path) })).content.slice(0, 1)),
      ),
    ),
  );
  expect(seen).toEqual(["east", DENIED, DENIED, "west", "east", "west"]);
  expect(clients.slice(1).map(({ log }) => log)).toEqual([[], []]);
  for (const client of clients) await client.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});

test("SUB-10 SUB-14 streams of two clients with equal ids stay apart, and end with a result at shutdown", async () => {
  await using folder = tempFolder({ "a.txt": "a", "b.txt": "b" });
  await using server = await startOverHttp(binary(folder.path));
  const [first, second] = [await newer(server.url), await newer(server.url)];
  const [a, b] = [uriOf(folder.at("a.txt")), uriOf(folder.at("b.txt"))];
  // This client calls its first stream "listen:0", in every process.
  const newsOfA = await first.listen({ resourceSubscriptions: [a] });
  const newsOfB = await second.listen({ resourceSubscriptions: [b] });
  folder.write({ "a.txt": "changed", "b.txt": "changed" });
  await vi.waitFor(() => expect([new Set(first.updated), new Set(second.updated)]).toEqual([new Set([a]), new Set([b])]), SOON);
  await newsOfA.close();
  const before = second.updated.length;
  folder.write({ "b.txt": "changed again" });
  await vi.waitFor(() => expect(second.updated.length).toBeGreaterThan(before), SOON);
  const ending = server.terminate();
  expect([await newsOfA.ended, await newsOfB.ended]).toEqual(["local", "graceful"]);
  expect(await ending).toMatchObject({ code: 0, signal: null });
  await first.close();
  await second.close();
});
