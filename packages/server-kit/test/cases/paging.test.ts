// Lists in pages (requirements PAGE-*, security case KIT-10).
import { describe, expect, test } from "vitest";
import { defineServer, prompt, resource, template, tool, type Server } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { talk, type Talk } from "../support/talk.ts";

const LISTS = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "prompts/list": "prompts",
};
const NAMES = Array.from({ length: 7 }, (_, at) => `n${at}`);

const aTool = (name: string) => tool({ name, run: () => name });
const aResource = (name: string) => resource({ uri: `a:${name}`, name, read: () => name });
const aPrompt = (name: string) => prompt({ name, get: () => name });
const aTemplate = (name: string) => template({ uri: `t:${name}/{x}`, name, read: () => name });

const server = (pageSize = 3): Server =>
  defineServer({
    name: "pages",
    version: "1",
    pageSize,
    tools: NAMES.map(aTool),
    resources: [...NAMES.map(aResource), ...NAMES.map(aTemplate)],
    prompts: NAMES.map(aPrompt),
  });

interface Page {
  names: string[];
  nextCursor?: string;
}

async function page(client: Talk, method: string, key: string, cursor?: string): Promise<Page> {
  const result = await client.result(method, cursor === undefined ? {} : { cursor });
  const { nextCursor } = result;
  expect("nextCursor" in result).toBe(nextCursor !== undefined);
  return {
    names: (result[key] as { name: string }[]).map(({ name }) => name),
    ...(nextCursor !== undefined && { nextCursor: String(nextCursor) }),
  };
}

describe.each(Object.entries(LISTS))("%s", (method, key) => {
  test("PAGE-01 PAGE-02 is sent in pages, in order, and the last one has no cursor", async () => {
    await using client = await talk(server());
    const first = await page(client, method, key);
    const second = await page(client, method, key, first.nextCursor);
    const third = await page(client, method, key, second.nextCursor);
    expect([first.names, second.names, third]).toEqual([NAMES.slice(0, 3), NAMES.slice(3, 6), { names: ["n6"] }]);
  });

  test.each([7, 8, 200])("PAGE-02 is one page when it fits (%i)", async (size) => {
    await using client = await talk(server(size));
    expect(await page(client, method, key)).toEqual({ names: NAMES });
  });

  test("PAGE-03 returns the same page for a repeated cursor", async () => {
    await using client = await talk(server());
    const { nextCursor } = await page(client, method, key);
    const pages = [
      await page(client, method, key, nextCursor),
      await page(client, method, key, nextCursor),
      await page(client, method, key, nextCursor),
    ];
    expect(pages).toEqual([pages[0], pages[0], pages[0]]);
  });

  test("PAGE-04 KIT-10 refuses cursors of another list", async () => {
    await using client = await talk(server());
    const { nextCursor = "" } = await page(client, method, key);
    const others = await Promise.all(
      Object.entries(LISTS).flatMap(([other, otherKey]) =>
        other === method ? [] : page(client, other, otherKey).then((found) => found.nextCursor),
      ),
    );
    const forged = [
      "garbage",
      "",
      "0",
      "-1",
      "1e9",
      " ",
      "null",
      "n2",
      "__proto__",
      "9".repeat(1000),
      "x".repeat(100_000),
      `${nextCursor}=`,
      ` ${nextCursor}`,
    ];
    const altered = [nextCursor.slice(1), nextCursor.slice(0, -1), `${nextCursor}A`, nextCursor.toLowerCase(), btoa(`${key}:3`), btoa("3")];
    for (const cursor of [...forged, ...altered, ...others, 3, -1, {}, [], true]) {
      expect
        .soft(await client.error(method, { cursor }), JSON.stringify(cursor)?.slice(0, 60))
        .toEqual({ code: -32602, message: expect.any(String) });
    }
    expect(await page(client, method, key, nextCursor)).toMatchObject({ names: NAMES.slice(3, 6) });
  });
});

test("takes null for no cursor", async () => {
  await using client = await talk(server());
  for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
    expect(await client.result(method, { cursor: null })).toEqual(await client.result(method));
});

describe("KIT-10 a list that changes between two pages", () => {
  const walk = async (change: (server: Server) => void, method = "tools/list", key = "tools"): Promise<string[] | Json> => {
    const served = server();
    await using client = await talk(served);
    let { names, nextCursor } = await page(client, method, key);
    change(served);
    while (nextCursor !== undefined) {
      const answer = await client.request(method, { cursor: nextCursor });
      if (answer["error"] !== undefined) return answer["error"] as Json;
      const next = await page(client, method, key, nextCursor);
      names = [...names, ...next.names];
      nextCursor = next.nextCursor;
    }
    return names;
  };

  test("puts added entries at the end, and neither skips nor repeats an entry", async () => {
    expect(await walk(({ tools }) => tools.add(aTool("new")))).toEqual([...NAMES, "new"]);
    expect(await walk(({ resources }) => resources.add(aResource("new")), "resources/list", "resources")).toEqual([...NAMES, "new"]);
    expect(await walk(({ resources }) => resources.add(aTemplate("new")), "resources/templates/list", "resourceTemplates")).toEqual([
      ...NAMES,
      "new",
    ]);
    expect(await walk(({ prompts }) => prompts.add(aPrompt("new")), "prompts/list", "prompts")).toEqual([...NAMES, "new"]);
  });

  test("shifts nothing when an entry is removed", async () => {
    expect(await walk(({ tools }) => tools.remove("n0", "n5"))).toEqual(NAMES.filter((name) => name !== "n5"));
    expect(await walk(({ resources }) => resources.remove("a:n0"), "resources/list", "resources")).toEqual(NAMES);
    expect(await walk(({ resources }) => resources.remove("t:n1/{x}"), "resources/templates/list", "resourceTemplates")).toEqual(NAMES);
    expect(await walk(({ prompts }) => prompts.remove("n1"), "prompts/list", "prompts")).toEqual(NAMES);
  });

  test("skips nothing, or refuses the cursor, when the cursor's entry was removed", async () => {
    const found = await walk(({ tools }) => tools.remove("n2"));
    expect([NAMES, { code: -32602, message: expect.any(String) }]).toContainEqual(found);
  });

  test("begins with the new list on the first page", async () => {
    const served = server(100);
    await using client = await talk(served);
    expect((await page(client, "tools/list", "tools")).names).toEqual(NAMES);
    served.tools.remove("n3");
    served.tools.add(aTool("n3"));
    expect((await page(client, "tools/list", "tools")).names).toEqual([...NAMES.filter((name) => name !== "n3"), "n3"]);
  });
});

test("PAGE-01 pages the lists of templates with the fixed resources", async () => {
  const items = Array.from({ length: 500 }, (_, at) => ({ uri: `t:${at}`, name: `${at}` }));
  const served = defineServer({
    name: "many",
    version: "1",
    resources: [aResource("first"), template({ uri: "t:{x}", name: "many", list: () => Promise.resolve(items), read: ({ x }) => x })],
  });
  await using client = await talk(served);
  const first = await page(client, "resources/list", "resources");
  const second = await page(client, "resources/list", "resources", first.nextCursor);
  const third = await page(client, "resources/list", "resources", second.nextCursor);
  expect([first.names.length, second.names.length, third.names.length, third.nextCursor]).toEqual([200, 200, 101, undefined]);
  expect([...first.names, ...second.names, ...third.names]).toEqual(["first", ...items.map(({ name }) => name)]);
});

test("PAGE-01 PAGE-02 lists an entry once for its reader, even if it is in two lists", async () => {
  const listed = ["b", "a", "c"].map((name) => ({ uri: `t:${name}`, name }));
  const served = defineServer({
    name: "twice",
    version: "1",
    pageSize: 1,
    resources: [
      template({ uri: "t:{x}", name: "t", list: () => listed, read: ({ x }) => x }),
      resource({ uri: "t:a", name: "fixed", read: () => "a" }),
    ],
  });
  await using client = await talk(served);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { names: more, nextCursor } = await page(client, "resources/list", "resources", cursor);
    names.push(...more);
    cursor = nextCursor;
  } while (cursor !== undefined && names.length < 10);
  expect(names).toEqual(["b", "fixed", "c"]);
});

test.each([0, -1, 1.5, Number.NaN])("refuses pages of %s entries", (pageSize) => {
  expect(() => server(pageSize)).toThrow(/^pageSize is invalid: expected a whole number from 1, got /);
});
