// What the specification asks of a server's addresses and questions, over everything that this one says.
import { accept, connectTo, scriptUser, tempFolder, TESTED_REVISIONS } from "@oarlock/testing";
import { findRevision, type Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { targetOf } from "./support/target.ts";

/** An absolute address as RFC 3986 writes it: a scheme, and only characters that may stand unescaped. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** Every member `uri` anywhere in a value. */
function addressesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "uri" in value && typeof value.uri === "string" ? [value.uri] : [];
  return [...own, ...Object.values(value).flatMap(addressesIn)];
}

test("RES-18 RES-20 every address that is listed is well formed, and is read", async () => {
  await using folder = tempFolder();
  const files = ["a b#é.db", "100%.db"].map((name) => makeDatabase(folder.at(name), SHOP));
  await using wired = await connectTo(targetOf({ files }));
  await wired.client.resources().all();
  const addresses = wired.messages("received").flatMap(addressesIn);
  expect(addresses).toHaveLength(3);
  for (const uri of addresses) {
    expect(uri).toMatch(URI);
    expect((await wired.client.read(uri)).contents).toMatchObject([{ uri }]);
  }
});

describe.each(TESTED_REVISIONS.filter((revision) => findRevision(revision)!.facts.elicit))("in %s", (revision) => {
  test("ELIC-22 ELIC-23 ELIC-32 whatever is asked is a yes or no: no field can take a secret, and no text holds an address to click", async () => {
    await using folder = tempFolder();
    const person = scriptUser([accept({ confirm: true }), accept({ confirm: true })]);
    await using wired = await connectTo(targetOf({ files: [makeDatabase(folder.at("shop.db"), SHOP)], confirmAbove: 1 }), {
      ...person.handlers,
      revision,
    });
    await wired.client.call("write_query", { query: "UPDATE orders SET total = 0" });
    await wired.client.call("write_query", { query: "DROP TABLE orders" });
    person.done();
    for (const asked of person.requests) {
      if (asked.kind !== "form") throw new TypeError("not a form");
      const fields = Object.values(asked.requestedSchema["properties"] as Record<string, Json>);
      expect(fields.map(({ type }) => type)).toEqual(["boolean"]);
      expect(JSON.stringify([asked.message, fields])).not.toMatch(/\bhttps?:|\bwww\.|\bfile:/i);
    }
  });
});
