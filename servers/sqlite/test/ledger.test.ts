// Requirements of the specification for URIs and elicitations, over everything that this server sends.
import { accept, connectTo, scriptUser, tempFolder, TESTED_REVISIONS } from "@oarlock/testing";
import { findRevision, type Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { targetOf } from "./support/target.ts";

/** An absolute URI of RFC 3986: a scheme, and only characters that may be unescaped. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** Every member `uri` anywhere in a value. */
function urisIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "uri" in value && typeof value.uri === "string" ? [value.uri] : [];
  return [...own, ...Object.values(value).flatMap(urisIn)];
}

test("RES-18 RES-20 lists only well-formed and readable URIs", async () => {
  await using folder = tempFolder();
  const files = ["a b#é.db", "100%.db"].map((name) => makeDatabase(folder.at(name), SHOP));
  await using wired = await connectTo(targetOf({ files }));
  await wired.client.resources().all();
  const uris = wired.messages("received").flatMap(urisIn);
  expect(uris).toHaveLength(5);
  for (const uri of uris) {
    expect(uri).toMatch(URI);
    expect((await wired.client.read(uri)).contents).toMatchObject([{ uri }]);
  }
});

describe.each(TESTED_REVISIONS.filter((revision) => findRevision(revision)!.facts.elicit))("in %s", (revision) => {
  test("ELIC-22 ELIC-23 ELIC-32 elicits one boolean field and no link", async () => {
    await using folder = tempFolder();
    const person = scriptUser([accept({ confirm: true }), accept({ confirm: true })]);
    await using wired = await connectTo(targetOf({ files: [makeDatabase(folder.at("shop.db"), SHOP)], confirmAbove: 1 }), {
      ...person.handlers,
      revision,
    });
    await wired.client.call("write_query", { query: "UPDATE orders SET total = 0" });
    await wired.client.call("write_query", { query: "DROP TABLE orders" });
    person.done();
    for (const request of person.requests) {
      if (request.kind !== "form") throw new TypeError("not a form");
      const fields = Object.values(request.requestedSchema["properties"] as Record<string, Json>);
      expect(fields.map(({ type }) => type)).toEqual(["boolean"]);
      expect(JSON.stringify([request.message, fields])).not.toMatch(/\bhttps?:|\bwww\.|\bfile:/i);
    }
  });
});
