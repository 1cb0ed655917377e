// What the specification asks of a server's addresses and questions, over everything that this one says.
import { findRevision } from "@oarlock/server-kit/protocol";
import { accept, everyRevision, scriptUser, TESTED_REVISIONS } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity, relation } from "./support/graph.ts";
import { remember } from "./support/memory.ts";

/** An absolute address as RFC 3986 writes it: a scheme, and only characters that may stand unescaped. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** Every member `uri` anywhere in a value. */
function addressesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "uri" in value && typeof value.uri === "string" ? [value.uri] : [];
  return [...own, ...Object.values(value).flatMap(addressesIn)];
}

everyRevision("RES-18 RES-20 TOOL-35 every address is well-formed, of this server's scheme, and can be read", async (revision) => {
  await using memory = await remember({
    entities: [entity("a/b ü?#%", "t", "x"), entity("日本", "t")],
    relations: [relation("a/b ü?#%", "r", "日本")],
    options: { revision },
  });
  const { client, wired } = memory;
  await client.resources().all();
  for (const { uriTemplate } of await client.templates().all()) expect(uriTemplate).toMatch(/^memory:\/\/[a-z]+\/\{[A-Za-z]+\}$/);
  await client.prompt("recall", { topic: "x" });
  await client.prompt("review_memory", {});
  const addresses = new Set(wired.messages("received").flatMap(addressesIn));
  expect(addresses.size).toBeGreaterThan(4);
  for (const uri of addresses) {
    expect.soft(uri).toMatch(URI);
    expect.soft(new URL(uri).protocol).toBe("memory:");
    expect.soft((await client.read(uri)).contents).toHaveLength(1);
  }
});

describe.each(TESTED_REVISIONS.filter((revision) => findRevision(revision)!.facts.elicit))("in %s", (revision) => {
  test("ELIC-22 ELIC-23 ELIC-32 whatever is asked is a yes or no: no field can take a secret, and no text holds an address to click", async () => {
    const person = scriptUser([accept({ confirm: true }), accept({ confirm: true })]);
    await using memory = await remember({
      entities: [entity("see https://example.org and www.example.org", "t"), entity("b", "t")],
      options: { ...person.handlers, revision },
    });
    await memory.client.call("update_entities", {
      updates: [{ name: "see https://example.org and www.example.org", newName: "b", merge: true }],
    });
    await memory.client.call("delete_entities", { entityNames: ["b"], purge: true });
    person.done();
    for (const asked of person.requests) {
      if (asked.kind !== "form") throw new TypeError("not a form");
      const fields = Object.values(asked.requestedSchema["properties"] as Record<string, { type: string }>);
      expect(fields.map(({ type }) => type)).toEqual(["boolean"]);
      expect(JSON.stringify([asked.message, fields])).not.toMatch(/\bhttps?:|\bwww\.|\bfile:/i);
    }
  });
});
