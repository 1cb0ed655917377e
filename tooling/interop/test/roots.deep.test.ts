// The server requests the roots of official clients. https://modelcontextprotocol.io/specification/2025-11-25/client/roots
import { pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { everyClient, inSessions, READY, stateless } from "./support/every-client.ts";
import { textOf, type Official } from "./support/official-client.ts";

/** Other roots are other directories to list: the client hears so, once for the first and once for each change. */
const heard = (client: Official, times: number): Promise<void> =>
  vi.waitFor(() => expect(client.listsChanged).toEqual(Array.from({ length: times }, () => "resources")), {
    timeout: 60_000,
    interval: 10,
  });

const DENIED = "Access denied - path outside allowed directories";

everyClient(
  "ROOTS-10 ROOTS-11 RES-16 roots narrow the allowed directories, and again when they change",
  async ({ folder, connect }) => {
    folder.write({ "east/e.txt": "east", "west/w.txt": "west" });
    const [east, west] = ["east", "west"].map((name) => ({ uri: pathToFileURL(folder.at(name)).href, name }));
    let roots = [east!];
    const client = await connect({ roots: () => roots });
    const read = async (path: string) => textOf((await client.call("read_text_file", { path: folder.at(path) })).content.slice(0, 1));
    expect([await read("east/e.txt"), await read("west/w.txt")]).toEqual(["east", expect.stringContaining(DENIED)]);
    await heard(client, 1);
    roots = [west!];
    await client.rootsChanged();
    expect([await read("east/e.txt"), await read("west/w.txt")]).toEqual([expect.stringContaining(DENIED), "west"]);
    await heard(client, 2);
    expect((await client.resources()).map(({ uri }) => uri)).toEqual([west!.uri]);
    expect(textOf((await client.call("list_allowed_directories")).content)).toBe(`Allowed directories:\n${folder.at("west")}`);
  },
  inSessions,
);

everyClient(
  "narrows the operator's directories by roots, and closes all for an empty list",
  async ({ folder, connect }) => {
    folder.write({ "a.txt": "a" });
    let roots = [{ uri: "file:///" }, { uri: "https://example.com/" }];
    const client = await connect({
      roots: () => roots,
      stderr: [READY, /^Warning: the client offers no directory .+ --roots ignore .+/],
    });
    const read = async (path: string) => textOf((await client.call("read_text_file", { path })).content.slice(0, 1));
    expect(await read(folder.at("a.txt"))).toBe("a");
    expect(await read("/etc/hostname")).toContain(DENIED);
    roots = [];
    await client.rootsChanged();
    expect(await read(folder.at("a.txt"))).toContain(DENIED);
    expect(textOf((await client.call("list_allowed_directories")).content)).toContain("the client offers no directory");
  },
  inSessions,
);

everyClient("serves the roots where the operator named no directory", async ({ folder, connect }) => {
  folder.write({ "a.txt": "a" });
  const client = await connect({
    serve: [],
    roots: () => [{ uri: pathToFileURL(folder.path).href }],
    stderr: [/^Warning: No directory was named: .+/, READY],
  });
  expect(textOf((await client.call("read_text_file", { path: folder.at("a.txt") })).content.slice(0, 1))).toBe("a");
});

everyClient(
  "ROOTS-11 ROOTS-12 MRTR-19 SESS-15 each call requests the roots, which count for that call only",
  async ({ folder, connect }) => {
    folder.write({ "east/e.txt": "east", "west/w.txt": "west" });
    const [east, west] = ["east", "west"].map((name) => ({ uri: pathToFileURL(folder.at(name)).href, name }));
    let roots = [east!];
    let asked = 0;
    const client = await connect({
      roots() {
        asked++;
        return roots;
      },
    });
    const read = async (path: string) => textOf((await client.call("read_text_file", { path: folder.at(path) })).content.slice(0, 1));
    expect([await read("east/e.txt"), await read("west/w.txt")]).toEqual(["east", expect.stringContaining(DENIED)]);
    roots = [west!];
    expect([await read("east/e.txt"), await read("west/w.txt")]).toEqual([expect.stringContaining(DENIED), "west"]);
    expect(await client.read(pathToFileURL(folder.at("west/w.txt")).href)).toMatchObject([{ text: "west" }]);
    expect(asked).toBe(5);
    // A list is the same for everybody.
    expect((await client.resources()).map(({ uri }) => uri)).toEqual([pathToFileURL(folder.path).href]);
    expect([asked, client.listsChanged]).toEqual([5, []]);
  },
  stateless,
);
