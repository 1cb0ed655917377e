// Official clients list, read and watch resources. https://modelcontextprotocol.io/specification/2025-11-25/server/resources
import { pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { everyClient, inSessions, stateless } from "./support/every-client.ts";
import { PIXEL } from "./support/media.ts";

const uriOf = (path: string): string => pathToFileURL(path).href;

/** A look at the files goes round every second; a loaded machine may take its time. */
/** Only ends what hangs. */
const SOON = { timeout: 60_000, interval: 20 };

everyClient("RES-02 RES-14 RES-19 RES-28 lists the directories and the template for their files", async ({ revision, folder, connect }) => {
  const client = await connect();
  const named = revision >= "2025-06-18";
  expect(await client.resources()).toEqual([
    { uri: uriOf(folder.path), name: folder.path, description: "An allowed directory", mimeType: "inode/directory" },
  ]);
  expect(await client.templates()).toEqual([
    {
      uriTemplate: "file:///{+path}",
      name: "file",
      description: expect.stringContaining("entries of a directory"),
      ...(named && { title: "File or directory" }),
    },
  ]);
});

everyClient("RES-03 RES-04 RES-21 text, bytes and directories are read", async ({ folder, connect }) => {
  folder.write({ "grüße & mehr.txt": "Grüße\n", "dot.png": PIXEL });
  const client = await connect();
  const words = uriOf(folder.at("grüße & mehr.txt"));
  expect(await client.read(words)).toEqual([{ uri: words, mimeType: "text/plain", text: "Grüße\n" }]);
  const dot = uriOf(folder.at("dot.png"));
  expect(await client.read(dot)).toEqual([{ uri: dot, mimeType: "image/png", blob: PIXEL.toString("base64") }]);
  const all = uriOf(folder.path);
  expect(await client.read(all)).toEqual([{ uri: all, mimeType: "text/plain", text: "[FILE] dot.png\n[FILE] grüße & mehr.txt" }]);
});

everyClient("RES-06 RES-12 missing and forbidden files are not found", async ({ folder, connect, client }) => {
  const guest = await connect();
  for (const uri of [uriOf(folder.at("nowhere.txt")), "file:///etc/hostname"]) {
    // The second generation makes one code of both that the revisions have had.
    const code = client === "v1" ? -32002 : -32602;
    await expect(guest.read(uri)).rejects.toMatchObject({ code, message: expect.stringContaining("Resource not found"), data: { uri } });
  }
});

everyClient("COMP-04 a path is completed from the template", async ({ folder, connect }) => {
  folder.write({ "alpha.txt": "", "alps/peak.txt": "", "beta.txt": "" });
  const client = await connect();
  const typed = folder.at("al").slice(1); // the template brings the first slash
  expect(await client.complete({ type: "ref/resource", uri: "file:///{+path}" }, { name: "path", value: typed })).toEqual([
    `${typed}pha.txt`,
    `${typed}ps/`,
  ]);
});

everyClient(
  "SUB-01 SUB-02 SUB-03 notifies of changes to a watched file and directory until unsubscribed",
  async ({ folder, connect }) => {
    folder.write({ "a.txt": "a", "room/b.txt": "b" });
    const client = await connect();
    const file = uriOf(folder.at("a.txt"));
    const room = uriOf(folder.at("room"));
    const updatesOf = (uri: string) => client.updated.filter((one) => one === uri).length;
    await client.subscribe(file);
    await client.subscribe(room);
    folder.write({ "a.txt": "a, and more" });
    await vi.waitFor(() => expect(updatesOf(file)).toBeGreaterThan(0), SOON);
    await client.unsubscribe(file);
    const before = updatesOf(file);
    folder.write({ "a.txt": "a, without a notification" });
    folder.write({ "room/c.txt": "new" });
    // What is still watched is heard of, later than the other change came about.
    await vi.waitFor(() => expect(updatesOf(room)).toBeGreaterThan(0), SOON);
    expect(updatesOf(file)).toBe(before);
    expect(new Set(client.updated)).toEqual(new Set([file, room]));
    await client.unsubscribe(room);
  },
  inSessions,
);

everyClient(
  "SUB-07 SUB-08 SUB-10 SUB-18 SUB-19 a subscription stream carries the changes it asks for until it is closed",
  async ({ folder, connect }) => {
    folder.write({ "a.txt": "a", "b.txt": "b", "room/c.txt": "c" });
    const client = await connect();
    const [file, other, room] = ["a.txt", "b.txt", "room"].map((name) => uriOf(folder.at(name))) as [string, string, string];
    const updatesOf = (uri: string) => client.updated.filter((one) => one === uri).length;
    const first = await client.listen({ resourceSubscriptions: [file] });
    const second = await client.listen({ resourceSubscriptions: [room], resourcesListChanged: true });
    expect([first.honored, second.honored]).toEqual([
      { resourceSubscriptions: [file] },
      { resourceSubscriptions: [room], resourcesListChanged: true },
    ]);
    folder.write({ "a.txt": "a, and more", "b.txt": "b, not watched" });
    await vi.waitFor(() => expect(updatesOf(file)).toBeGreaterThan(0), SOON);
    await first.close();
    expect(await first.ended).toBe("local");
    const before = updatesOf(file);
    folder.write({ "a.txt": "a, without a notification" });
    folder.write({ "room/d.txt": "new" });
    // What is still watched is heard of, later than the other change came about.
    await vi.waitFor(() => expect(updatesOf(room)).toBeGreaterThan(0), SOON);
    expect([updatesOf(file), updatesOf(other)]).toEqual([before, 0]);
    await second.close();
  },
  stateless,
);

everyClient(
  "SUB-09 leaves files that the server does not serve out of a subscription",
  async ({ folder, connect }) => {
    folder.write({ "a.txt": "a" });
    const client = await connect();
    const file = uriOf(folder.at("a.txt"));
    const news = await client.listen({ resourceSubscriptions: ["file:///etc/hostname", file, "https://example.com/"] });
    expect(news.honored).toEqual({ resourceSubscriptions: [file] });
    await news.close();
  },
  stateless,
);

everyClient(
  "RES-11 RES-12 refuses subscriptions to files that the server does not serve",
  async ({ connect }) => {
    const client = await connect();
    await expect(client.subscribe("file:///etc/hostname")).rejects.toThrow("Resource not found");
    await expect(client.subscribe("https://example.com/")).rejects.toThrow("Resource not found");
  },
  inSessions,
);
