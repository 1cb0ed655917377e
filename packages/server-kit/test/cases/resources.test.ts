// Resources and templates (requirements RES-*).
import { describe, expect, test } from "vitest";
import { defineServer, resource, template } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk } from "../support/talk.ts";

const LIST_CHANGED = "notifications/resources/list_changed";

describe.each(STATEFUL)("in %s", (revision) => {
  const titles = revision >= "2025-06-18";
  const icons = revision >= "2025-11-25";

  test("RES-02 RES-22 RES-23 RES-24 RES-28 lists the members that the revision has", async () => {
    await using client = await talk(sampleServer(), { revision });
    const { resources } = (await client.result("resources/list")) as { resources: Json[] };
    expect(resources[0]).toEqual({
      uri: "sample://text",
      name: "text",
      ...(titles && { title: "Some text" }),
      description: "Plain words",
      mimeType: "text/plain",
      size: 5,
      annotations: { audience: ["user", "assistant"], priority: 0.3, ...(titles && { lastModified: "2025-01-12T15:00:58Z" }) },
      ...(icons && { icons: [{ src: "https://sample.example/text.svg", mimeType: "image/svg+xml", sizes: ["any"] }] }),
      ...(titles && { _meta: { "sample.example/kind": "text" } }),
    });
    expect(resources[1]).toEqual({ uri: "sample://bytes", name: "bytes", mimeType: "application/octet-stream", size: 3 });
    expect(resources.at(-1)).toEqual({ uri: "sample:///items/gamma", name: "gamma", ...(titles && { title: "Item gamma" }) });
  });

  test("RES-14 RES-15 lists templates likewise", async () => {
    await using client = await talk(sampleServer(), { revision });
    expect(await client.result("resources/templates/list")).toEqual({
      resourceTemplates: [
        {
          uriTemplate: "sample:///items/{id}",
          name: "item",
          ...(titles && { title: "An item" }),
          description: "By its name",
          mimeType: "text/plain",
          annotations: { priority: 1, ...(titles && { lastModified: "2025-01-12T15:00:58Z" }) },
          ...(icons && { icons: [{ src: "https://sample.example/item.png" }] }),
          ...(titles && { _meta: { "sample.example/kind": "item" } }),
        },
        { uriTemplate: "sample:///tree/{+path}", name: "tree" },
      ],
    });
  });

  test("PATH-30 compares schemes without regard to case, also of fixed URIs, and nothing else", async () => {
    await using client = await talk(sampleServer(), { revision });
    for (const uri of ["SAMPLE://text", "Sample:///items/beta"])
      expect(await client.result("resources/read", { uri })).toMatchObject({ contents: [{ uri }] });
    expect(await client.result("resources/subscribe", { uri: "SAMPLE://text" })).toEqual({});
    expect(await client.error("resources/read", { uri: "sample://TEXT" })).toMatchObject({ code: -32002 });
  });

  test("RES-03 RES-04 RES-05 RES-19 RES-21 reads text, bytes and several contents", async () => {
    await using client = await talk(sampleServer(), { revision });
    const read = (uri: string): Promise<Json> => client.result("resources/read", { uri });
    expect(await read("sample://text")).toEqual({ contents: [{ uri: "sample://text", mimeType: "text/plain", text: "Hello" }] });
    expect(await read("sample://bytes")).toEqual({
      contents: [{ uri: "sample://bytes", mimeType: "application/octet-stream", blob: "AAEC" }],
    });
    expect(await read("sample:///items/beta")).toEqual({
      contents: [{ uri: "sample:///items/beta", mimeType: "text/plain", text: "item beta" }],
    });
    expect(await read("sample://folder")).toEqual({
      contents: [
        { uri: "sample://text", mimeType: "inode/directory", text: "Hello", ...(titles && { _meta: { "sample.example/n": 1 } }) },
        { uri: "sample://bytes", mimeType: "application/octet-stream", blob: "AAEC" },
      ],
    });
  });

  test("RES-06 RES-12 reports a missing or hidden resource as -32002 with its URI", async () => {
    await using client = await talk(sampleServer(), { revision });
    for (const uri of [
      "sample://nope",
      "sample://gone",
      "sample:///items/zeta",
      "sample:///items/",
      "other://x",
      "nonsense",
      "",
      "sample://text/",
    ]) {
      const error = { code: -32002, message: "Resource not found", data: { uri } };
      expect.soft(await client.error("resources/read", { uri }), uri).toEqual(error);
    }
    expect(await client.error("resources/subscribe", { uri: "sample://nope" })).toMatchObject({
      code: -32002,
      data: { uri: "sample://nope" },
    });
  });
});

test("RES-11 checks URIs before it reads anything", async () => {
  await using client = await talk(sampleServer());
  for (const uri of [
    undefined,
    null,
    1,
    {},
    ["sample://text"],
    "x".repeat(9000),
    "sample:///items/%",
    "sample:///items/%zz",
    "sample:///items/%c3",
  ]) {
    expect
      .soft(await client.error("resources/read", { uri }), JSON.stringify(uri)?.slice(0, 40))
      .toEqual({ code: -32602, message: expect.any(String) });
  }
  expect(JSON.stringify(client.received)).not.toContain("xxxx");
});

test("RES-11 KIT-03 decodes variables once; a simple one never spans a slash", async () => {
  await using client = await talk(
    defineServer({
      name: "x",
      version: "1",
      resources: [
        template({ uri: "a:/{one}", name: "one", read: ({ one }) => JSON.stringify(one) }),
        template({ uri: "b:/{+many}", name: "many", read: ({ many }) => JSON.stringify(many) }),
      ],
    }),
  );
  const read = async (uri: string): Promise<unknown> => {
    const { result, error } = (await client.request("resources/read", { uri })) as {
      result?: { contents: { text: string }[] };
      error?: Json;
    };
    return result === undefined ? error?.["code"] : JSON.parse(result.contents[0]!.text);
  };
  expect(await read("a:/%252e%252e%252f")).toBe("%2e%2e%2f");
  expect(await read("b:/%252e%252e%252f")).toBe("%2e%2e%2f");
  expect(await read("a:/x%20y")).toBe("x y");
  expect(await read("b:/../%2e%2e/x//y?q#f")).toBe("../../x//y?q#f");
  expect(await read("A:/x")).toBe("x");
  for (const uri of ["a:/", "a:/x/y", "a:/%2F", "a:/x%2fy", "a:/..%2f", "b:/", "a:x", "aa:/x"])
    expect.soft(await read(uri), uri).toBe(-32002);
});

test("RES-16 notifies the client of a changed list without any subscription", async () => {
  const server = sampleServer();
  await using client = await talk(server);
  await client.settled();
  server.resources.add(resource({ uri: "sample://new", name: "new", read: () => "new" }));
  await client.until(({ method }) => method === LIST_CHANGED);
  expect((await client.result("resources/read", { uri: "sample://new" }))["contents"]).toEqual([{ uri: "sample://new", text: "new" }]);
  server.resources.remove("sample://new");
  server.resources.remove("sample://never");
  await client.settled();
  expect(client.heard(LIST_CHANGED)).toEqual([{}, {}]);
  expect(client.received.filter(({ method }) => method === LIST_CHANGED)[0]).toEqual({ jsonrpc: "2.0", method: LIST_CHANGED });
  expect(await client.error("resources/read", { uri: "sample://new" })).toMatchObject({ code: -32002 });
});

test("prefers a fixed URI to a matching template", async () => {
  await using client = await talk(
    defineServer({
      name: "x",
      version: "1",
      resources: [
        template({ uri: "a:/{+rest}", name: "any", read: () => "template" }),
        resource({ uri: "a:/fixed", name: "fixed", read: () => "fixed" }),
      ],
    }),
  );
  expect((await client.result("resources/read", { uri: "a:/fixed" }))["contents"]).toEqual([{ uri: "a:/fixed", text: "fixed" }]);
  expect((await client.result("resources/read", { uri: "a:/other" }))["contents"]).toEqual([{ uri: "a:/other", text: "template" }]);
});

test("RES-19 reads bytes as they are, with their own type or that of the resource", async () => {
  const bytes = new Uint8Array([0, 255, 16]);
  const picture = resource({ uri: "sample://picture", name: "p", mimeType: "image/png", read: () => bytes });
  const several = resource({
    uri: "sample://several",
    name: "s",
    read: () => [Buffer.from("abc").subarray(1), { blob: bytes, mimeType: "image/gif" }],
  });
  await using client = await talk(defineServer({ name: "s", version: "1", resources: [picture, several] }));
  expect(await client.result("resources/read", { uri: "sample://picture" })).toEqual({
    contents: [{ uri: "sample://picture", mimeType: "image/png", blob: "AP8Q" }],
  });
  expect(await client.result("resources/read", { uri: "sample://several" })).toEqual({
    contents: [
      { uri: "sample://several", blob: "YmM=" },
      { uri: "sample://several", mimeType: "image/gif", blob: "AP8Q" },
    ],
  });
});
