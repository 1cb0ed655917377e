// What the specification asks of a server's addresses and questions, over everything that this one says.
import { connectTo, scriptUser, accept, tempFolder, TESTED_REVISIONS } from "@oarlock/testing";
import { findRevision, type Json } from "@oarlock/server-kit/protocol";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { everyRevisionOn } from "./support/served-folder.ts";
import { targetOf } from "./support/target.ts";

/** An absolute address as RFC 3986 writes it: a scheme, and only characters that may stand unescaped. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** Every member `uri` anywhere in a value. */
function addressesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "uri" in value && typeof value.uri === "string" ? [value.uri] : [];
  return [...own, ...Object.values(value).flatMap(addressesIn)];
}

everyRevisionOn(
  "RES-18 RES-20 TOOL-35 returns only well-formed file URIs that this server reads, also in embedded resources and links",
  {
    "a b#é.md": "# text",
    "b.png": PNG,
    "c.bin": Buffer.from([0, 255, 1]),
    "big.png": Buffer.concat([PNG, Buffer.alloc(3_000_000)]),
    ü: { x: "1" },
  },
  async (cell) => {
    const { client, at, wired } = cell;
    expect(client.capabilities.resources).toBeDefined();
    const names = ["a b#é.md", "b.png", "c.bin", "ü/x"];
    for (const name of names) await client.read(`file://${encodeURI(at(name)).replaceAll("#", "%23")}`);
    await client.resources().all();
    for (const name of ["b.png", "c.bin", "big.png"]) await cell.call("read_media_file", { path: at(name) });
    const replyText = wired.messages("received");
    const own = (JSON.stringify(replyText).match(/"uri":"[^"]*"/g) ?? []).length;
    const addresses = replyText.flatMap(addressesIn);
    expect(addresses.length).toBe(own);
    expect(addresses.length).toBeGreaterThan(names.length);
    for (const uri of addresses) {
      expect.soft(uri).toMatch(URI);
      expect.soft(new URL(uri).protocol).toBe("file:");
      await client.read(uri).catch((error: Error) => expect.soft(error.message).toMatch(/larger|limit|big/i));
    }
  },
);

describe.each(TESTED_REVISIONS.filter((revision) => findRevision(revision)!.facts.elicit))("in %s", (revision) => {
  test("ELIC-22 ELIC-23 ELIC-32 asks yes or no only, without a field for secrets or an address to click", async () => {
    await using folder = tempFolder({ a: "new", b: "old", c: "before" });
    const person = scriptUser([accept({ confirm: true }), accept({ confirm: true })]);
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { ...person.handlers, revision });
    await wired.client.call("move_file", { source: folder.at("a"), destination: folder.at("b"), overwrite: true });
    const { etag } = (await wired.client.call("read_text_file", { path: folder.at("c") })).structuredContent as { etag: string };
    writeFileSync(folder.at("c"), "theirs");
    await wired.client.call("write_file", { path: folder.at("c"), content: "mine", expectedEtag: etag });
    person.done();
    expect(person.requests.map(({ kind }) => kind)).toEqual(["form", "form"]);
    for (const asked of person.requests) {
      if (asked.kind !== "form") throw new TypeError("not a form");
      const fields = Object.values(asked.requestedSchema["properties"] as Record<string, Json>);
      expect(fields.map(({ type }) => type)).toEqual(["boolean"]);
      expect(JSON.stringify([asked.message, fields])).not.toMatch(/\bhttps?:|\bwww\.|\bfile:/i);
    }
  });
});
