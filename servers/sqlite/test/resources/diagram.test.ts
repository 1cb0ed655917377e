// The resource with the ER diagram of a schema.
import { waitUntil } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../support/databases.ts";
import { openShop, type Shop } from "../support/shop.ts";

/** Only a watch that misses a change takes so long. */
const HANG_MS = 20_000;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const diagramOf = async (served: Shop): Promise<string> => {
  const [content] = (await served.client.read("sqlite://shop/diagram")).contents as { text: string; mimeType: string }[];
  expect(content?.mimeType).toBe("text/vnd.mermaid");
  return content?.text ?? "";
};

test("draws tables, views, keys and relationships", async () => {
  expect((await Array.fromAsync(shop.client.resources())).map(({ uri }) => uri)).toContain("sqlite://shop/diagram");
  expect(await diagramOf(shop)).toBe(`erDiagram
    customers {
        INTEGER id PK
        TEXT name "not null"
        TEXT email UK
        BLOB photo
    }
    %% virtual table
    notes {
        untyped title
        untyped body
    }
    orders {
        INTEGER id PK
        INTEGER customer_id FK "not null"
        REAL total
        TEXT placed
    }
    %% view
    spending {
        TEXT name
        untyped spent
    }
    customers ||--o{ orders : "customer_id"
`);
});

test("fits a diagram into a small limit on replies", async () => {
  const tables = Array.from({ length: 300 }, (_, index) => `CREATE TABLE "tä${index}" (id INTEGER PRIMARY KEY);`);
  await using shop = await openShop({ sql: tables.join(" "), maxResultBytes: 8000 });
  expect(Buffer.byteLength(await diagramOf(shop))).toBeLessThan(6000);
});

test("RES-06 reports the diagram of an unknown database as not found", async () => {
  const uri = "sqlite://other/diagram";
  await expect(shop.client.read(uri)).rejects.toMatchObject({ data: { uri } });
});

test(
  "notifies a subscriber of the diagram after a change of the schema",
  async () => {
    let count = 0;
    await shop.client.subscribe("sqlite://shop/diagram", () => void (count += 1));
    using other = openDatabase(shop.file);
    other.exec("CREATE TABLE added (id INTEGER PRIMARY KEY)");
    await waitUntil(
      () => count,
      (seen) => seen > 0,
      HANG_MS,
    );
    expect(await diagramOf(shop)).toContain("    added {\n");
  },
  HANG_MS,
);
