// Requirements of the specification for URIs and questions, checked over all messages of the server.
import { findRevision } from "@oarlock/server-kit/protocol";
import { accept, everyRevision, scriptUser, TESTED_REVISIONS } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity, relation } from "./support/graphs.ts";
import { serveMemory } from "./support/memory-fixture.ts";

/** An absolute URI by RFC 3986: a scheme, and only characters that need no escape. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** Every member `uri` anywhere in a value. */
function addressesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "uri" in value && typeof value.uri === "string" ? [value.uri] : [];
  return [...own, ...Object.values(value).flatMap(addressesIn)];
}

everyRevision("RES-18 RES-20 TOOL-35 every URI is well-formed, has this server's scheme, and can be read", async (revision) => {
  await using memory = await serveMemory({
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
  test("ELIC-22 ELIC-23 ELIC-32 every question has one boolean: no field can take a secret, and no text has a clickable URL", async () => {
    const person = scriptUser([accept({ confirm: true }), accept({ confirm: true })]);
    await using memory = await serveMemory({
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
