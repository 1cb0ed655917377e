// Resources in every revision: what is listed, read and completed under file:///{+path}.
import { connectTo, linkTo, tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { DiskError } from "../../src/disk/errors.ts";
import { createServer } from "../../src/server.ts";
import { everyRevisionOn, type ServedFolder } from "../support/served-folder.ts";

const rootOf = ({ folder }: ServedFolder): string => folder.slice(0, folder.lastIndexOf("/"));
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

everyRevisionOn("RES-14 RES-19 lists the allowed directories, and the template for everything below them", {}, async (cell) => {
  const titled = cell.structured ? { title: "File or directory" } : {};
  expect(await Array.fromAsync(cell.client.resources())).toEqual([
    { uri: `file://${rootOf(cell)}`, name: rootOf(cell), description: "An allowed directory", mimeType: "inode/directory" },
  ]);
  expect(await Array.fromAsync(cell.client.templates())).toEqual([
    { uriTemplate: "file:///{+path}", name: "file", ...titled, description: expect.stringMatching(/^.{10,2048}$/) },
  ]);
});

everyRevisionOn(
  "RES-03 RES-04 RES-21 reads text as text, bytes as a blob and a directory as its list",
  { "a.md": "# häuser\n", "b.png": PNG, d: { x: "", y: {} } },
  async ({ client, at }) => {
    const read = async (name: string): Promise<unknown> => (await client.read(`file://${at(name)}`)).contents;
    expect(await read("a.md")).toEqual([{ uri: `file://${at("a.md")}`, mimeType: "text/markdown", text: "# häuser\n" }]);
    expect(await read("b.png")).toEqual([{ uri: `file://${at("b.png")}`, mimeType: "image/png", blob: PNG.toString("base64") }]);
    expect(await read("d")).toEqual([{ uri: `file://${at("d")}`, mimeType: "text/plain", text: "[FILE] x\n[DIR] y" }]);
  },
);

everyRevisionOn(
  "decodes an escaped URI once, and returns it as requested",
  { "a b#%é": "x", "a%20b": "literal" },
  async ({ client, folder }) => {
    for (const [uri, text] of [
      [`file://${folder}/a%20b%23%25%C3%A9`, "x"],
      [`file://${folder}/a%2520b`, "literal"],
      [`FILE://localhost${folder}/a%2520b`, "literal"],
    ] as const) {
      expect((await client.read(uri)).contents).toMatchObject([{ uri, text: expect.anything() }]);
      expect((await client.read(uri)).contents).toMatchObject([{ text }]);
    }
  },
);

everyRevisionOn("reads the target of a link", { "f.txt": "x", l: linkTo("f.txt") }, async ({ client, at }) => {
  expect((await client.read(`file://${at("l")}`)).contents).toMatchObject([{ uri: `file://${at("l")}` }]);
});

everyRevisionOn(
  "RES-06 RES-12 reports a missing file and one outside alike as not found with the URI",
  {},
  async ({ client, folder, facts }) => {
    const missing =
      facts.era === "handshake" ? { code: -32002, message: "Resource not found" } : { code: -32602, message: "Resource not found" };
    const outside = ["file:///etc/passwd", "file:///nowhere/x", `file://${folder.slice(0, folder.lastIndexOf("/"))}-x/f`, "file:///"];
    for (const uri of [`file://${folder}/none`, ...outside]) {
      await expect(client.read(uri)).rejects.toMatchObject({ ...missing, data: { uri } });
    }
    // A subscription stream has no errors for single addresses: what it does not acknowledge is refused.
    const refused = (uri: string): object =>
      facts.era === "handshake" ? { ...missing, data: { uri } } : { name: "UnsupportedCapabilityError" };
    for (const uri of outside) await expect(client.subscribe(uri, () => undefined)).rejects.toMatchObject(refused(uri));
  },
);

everyRevisionOn("RES-11 refuses URIs of another form", { f: "x" }, async ({ client, folder, facts }) => {
  for (const uri of [
    `file://${folder}/f?x`,
    `file://${folder}/f#x`,
    `file://${folder}/a%2Ff`,
    `file://user@localhost${folder}/f`,
    `file://example.org${folder}/f`,
    `file://${folder}/../x`,
    `file://${folder}/%zz`,
    `file://${folder}/a%5Cb`,
    `file://${folder}/a%00`,
  ]) {
    await expect(client.read(uri), uri).rejects.toMatchObject({ code: -32602 });
    await expect(
      client.subscribe(uri, () => undefined),
      uri,
    ).rejects.toMatchObject(facts.era === "handshake" ? { code: -32602 } : { name: "UnsupportedCapabilityError" });
  }
});

everyRevisionOn("refuses a file too large for a reply, and states the limit", { f: "x".repeat(3_000_000) }, async ({ client, at }) => {
  await expect(client.read(`file://${at("f")}`)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/^File too large: it has 3000000 bytes, and at most \d+ are allowed here/),
  });
});

everyRevisionOn(
  "COMP-04 COMP-07 completes the path of the template, directories with a slash",
  { alpha: "", alps: {}, beta: "" },
  async ({ client, at }) => {
    const ref = { type: "ref/resource", uri: "file:///{+path}" } as const;
    const complete = async (value: string): Promise<string[]> => (await client.complete(ref, { name: "path", value })).values;
    expect(await complete(at("al"))).toEqual([at("alpha"), at("alps/")]);
    // The template brings the first slash.
    expect(await complete(at("al").slice(1))).toEqual([at("alpha").slice(1), at("alps/").slice(1)]);
    expect(await complete(at("x"))).toEqual([]);
    expect(await complete("/etc/pass")).toEqual([]);
  },
);

everyRevisionOn(
  "COMP-02 completes at most a hundred values, and states that there are more",
  Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`f${at}`, ""])),
  async ({ client, at }) => {
    const found = await client.complete({ type: "ref/resource", uri: "file:///{+path}" }, { name: "path", value: at("f") });
    expect(found).toEqual({ values: expect.any(Array), total: 130, hasMore: true });
    expect(found.values).toHaveLength(100);
  },
);

test("reports a failure of the system as an internal error, not as an invalid URI", async () => {
  await using folder = tempFolder({ f: "" });
  const { server, sandboxes } = await createServer({ directories: [{ path: folder.path, readOnly: false }] });
  const fails = () => {
    throw new DiskError("io", "Too many open files. Try again.");
  };
  vi.spyOn(sandboxes, "of").mockImplementation(fails);
  vi.spyOn(sandboxes, "known").mockImplementation(fails);
  await using wired = await connectTo(server, { revision: "2025-11-25" });
  const error = { code: -32603, message: expect.stringMatching(/^Too many open files/) };
  const params = { uri: `file://${folder.at("f")}` };
  await expect(wired.client.read(params.uri)).rejects.toMatchObject(error);
  await expect(wired.client.request("resources/subscribe", params)).rejects.toMatchObject(error);
});
