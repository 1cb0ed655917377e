// The resource with the ER diagram of a schema.
import { waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openDatabase } from "../support/databases.ts";
import { openShop, type Shop } from "../support/shop.ts";

const diagramOf = async (shop: Shop): Promise<string> => {
  const [content] = (await shop.client.read("sqlite://shop/diagram")).contents as { text: string; mimeType: string }[];
  expect(content?.mimeType).toBe("text/vnd.mermaid");
  return content?.text ?? "";
};

test("the diagram has tables, views, keys and relationships", async () => {
  await using shop = await openShop();
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

test("a diagram fits a small limit on replies", async () => {
  const tables = Array.from({ length: 300 }, (_, index) => `CREATE TABLE "tä${index}" (id INTEGER PRIMARY KEY);`);
  await using shop = await openShop({ sql: tables.join(" "), maxResultBytes: 8000 });
  expect(Buffer.byteLength(await diagramOf(shop))).toBeLessThan(6000);
});

test("RES-06 the diagram of an unknown database is not found", async () => {
  await using shop = await openShop();
  const uri = "sqlite://other/diagram";
  await expect(shop.client.read(uri)).rejects.toMatchObject({ data: { uri } });
});

test("a subscription to the diagram notifies after a change of the schema", async () => {
  await using shop = await openShop();
  let count = 0;
  await shop.client.subscribe("sqlite://shop/diagram", () => void (count += 1));
  using other = openDatabase(shop.file);
  other.exec("CREATE TABLE added (id INTEGER PRIMARY KEY)");
  await waitUntil(
    () => count,
    (seen) => seen > 0,
  );
  expect(await diagramOf(shop)).toContain("    added {\n");
});
