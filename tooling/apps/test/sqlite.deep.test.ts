// The views of the SQLite server, in a real browser.
import { DatabaseSync } from "node:sqlite";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenView } from "../src/harness/open-view.ts";
import { everyLook, viewStage } from "./support/view-tests.ts";

const HOSTILE = `<img src=x onerror=alert(1)>\u202etxt.exe</script>`;

const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, total REAL, placed TEXT);
  INSERT INTO customers (name) VALUES ('Ada'), ('Grace'), ('Edsger');
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
    INSERT INTO orders (customer_id, total, placed) SELECT i % 3 + 1, (i * 37) % 100, date('2026-01-01', i || ' days') FROM n;
`;

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  const file = folder.at("shop.db");
  const db = new DatabaseSync(file);
  db.exec(SCHEMA);
  db.exec(`CREATE TABLE "${HOSTILE}" ("${HOSTILE}" TEXT REFERENCES customers)`);
  db.close();
  await stage.serve("sqlite", [file]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const rows = (query: string, args: Record<string, unknown> = {}) => ({ tool: "read_query", args: { query, ...args } });

everyLook("the result grid", stage, {
  call: () => rows("SELECT name, total, placed FROM orders JOIN customers ON customers.id = customer_id"),
  shows: "Grace",
});

/** The cells of the first rows of the grid that are elements. */
const firstCells = async (view: OpenView, count: number): Promise<string[]> =>
  (await view.frame.evaluate(
    `[...document.querySelectorAll("tr[aria-rowindex] td:first-child")].slice(0, ${count}).map((cell) => cell.textContent)`,
  )) as string[];

const sortOf = async (view: OpenView): Promise<string[]> =>
  (await view.frame.evaluate("[...document.querySelectorAll('th')].map((head) => head.getAttribute('aria-sort'))")) as string[];

describe("the result grid", () => {
  test("sorts numbers as numbers, by the header of their column", async () => {
    await using view = await stage.show(rows("SELECT column1 AS size FROM (VALUES (10), (9), (NULL), (100))"));
    await view.waitForState("ready");
    expect(await firstCells(view, 4)).toEqual(["10", "9", "NULL", "100"]);
    await view.click("size");
    await expect.poll(() => firstCells(view, 4)).toEqual(["NULL", "9", "10", "100"]);
    expect(await sortOf(view)).toEqual(["ascending"]);
    await view.click("size");
    await expect.poll(() => firstCells(view, 4)).toEqual(["100", "10", "9", "NULL"]);
    expect(await sortOf(view)).toEqual(["descending"]);
    await view.click("size");
    await expect.poll(() => firstCells(view, 4)).toEqual(["10", "9", "NULL", "100"]);
    expect(await sortOf(view)).toEqual([null]);
    expect(await view.problems()).toEqual([]);
  });

  test("pages through the cursor with calls of view_rows", async () => {
    await using view = await stage.show(rows("SELECT id FROM orders ORDER BY id", { limit: 12 }));
    await view.waitForText("Rows 1–12; more follow.");
    await view.click("Next");
    await view.waitForText("Rows 13–24; more follow.");
    expect(await firstCells(view, 2)).toEqual(["13", "14"]);
    await view.click("Next");
    await view.waitForText("Rows 25–30.");
    await view.click("Previous");
    await view.waitForText("Rows 13–24");
    expect(await view.calledTools()).toEqual(["view_rows", "view_rows"]);
    await view.click("Load 10,000 rows");
    await view.waitForText("30 rows.");
    expect(await view.problems()).toEqual([]);
  });

  test("pages through matches with calls of search_text", async () => {
    await using view = await stage.show({ tool: "search_text", args: { query: "2026", limit: 20 } });
    await view.waitForText("Rows 1–20; more follow.");
    await view.click("Next");
    await view.waitForText("Rows 21–30.");
    expect(await view.calledTools()).toEqual(["search_text"]);
  });

  test("names what a search without matches has not read, and goes on", async () => {
    await using view = await stage.show({ tool: "search_text", args: { query: "2026", limit: 20 } });
    await view.waitForText("Rows 1–20; more follow.");
    const { nextCursor } = (await view.page.evaluate("probe.results[0].structuredContent")) as { nextCursor: string };
    const unread = { unfinished: ["orders", "broken"], unreadable: [{ table: "broken", reason: "Its module is missing." }] };
    const notice = "Not searched completely: orders. Cannot be read: broken (Its module is missing.).";
    const receive = (result: object) => view.receive({ method: "ui/notifications/tool-result", params: result });
    await receive({ structuredContent: { matches: [], truncated: true, ...unread } });
    await view.waitForText(`No rows. ${notice}`);
    await receive({ structuredContent: { matches: [], truncated: true, ...unread, nextCursor } });
    await view.waitForText(`0 rows; more follow. ${notice}`);
    await view.click("Next");
    await view.waitForText("Rows 1–10.");
    await receive({ content: [{ type: "text", text: '["orders" cannot be read: Its module is missing.]\nNo matches' }] });
    await view.waitForText('No rows. "orders" cannot be read: Its module is missing.');
  });

  test("tells a page of a later cursor from the first one", async () => {
    const query = "SELECT id FROM orders ORDER BY id";
    await using first = await stage.show(rows(query, { limit: 12 }));
    await first.waitForText("Rows 1–12; more follow.");
    const { nextCursor: cursor } = (await first.page.evaluate("probe.results[0].structuredContent")) as { nextCursor: string };
    await using view = await stage.show(rows(query, { limit: 12, cursor }));
    await view.waitForText("12 rows of a later page; more follow.");
    await view.receive({ method: "ui/notifications/tool-result", params: { content: [{ type: "text", text: "id\r\n13\r\nNo matches" }] } });
    await view.waitForText("12 rows of a later page; more follow.");
    expect(await firstCells(view, 1)).toEqual(["13"]);
    expect(await view.calledTools()).toEqual(["view_rows"]);
    await view.click("Load 10,000 rows");
    await view.waitForText("30 rows.");
  });

  test("opens a value that its column has no room for", async () => {
    await using view = await stage.show(rows("SELECT printf('%.*c', 60, 'x') AS long, 'short' AS short"));
    await view.click("Show all of long, row 1");
    expect(await view.frame.evaluate("document.querySelector('pre').textContent")).toBe("x".repeat(60));
    expect(await view.frame.evaluate("document.querySelectorAll('td button').length")).toBe(1);
  });

  test("warns of texts that a spreadsheet takes for formulas", async () => {
    await using view = await stage.show(rows("SELECT '=1+1' AS sum"));
    await view.click("Export CSV");
    await view.waitForText("Exported 1 row. Some texts begin like formulas: open this file as text in a spreadsheet.");
  });

  test("filters by a text in any column", async () => {
    await using view = await stage.show(rows("SELECT name FROM customers"));
    await view.waitForState("ready");
    await view.frame.locator("aria/Filter").fill("GRA");
    await view.waitForText("1 row of them match the filter.");
    expect(await firstCells(view, 3)).toEqual(["Grace"]);
  });

  test("exports the rows as CSV, and copies them", async () => {
    await using view = await stage.show(
      rows("SELECT 1 AS one, 'a \"b\", c' AS two, NULL AS three, x'01ff' AS four, '7' AS five, 9007199254740993 AS six"),
    );
    await view.waitForState("ready");
    await view.click("Export CSV");
    await view.waitForText("Exported 1 row.");
    expect(await view.page.evaluate("probe.downloads[0].resource.text")).toBe(
      `one,two,three,four,five,six\r\n1,"a ""b"", c",,x'01ff',"7",9007199254740993\r\n`,
    );
    await view.click("Copy");
    await view.waitForText("Copied 1 row.");
    expect(await view.frame.evaluate("document.activeElement.textContent")).toBe("Copy");
    expect(await view.problems()).toEqual([]);
  });

  test("shows hostile names and values as text", async () => {
    await using view = await stage.show(
      rows("SELECT ? AS \"<b>bold</b>\", printf('%.*c', 100000, '<') AS long, 9007199254740993 AS large", { params: [HOSTILE] }),
    );
    await view.waitForText("<img src=x onerror=alert(1)>\\u202etxt.exe</script>");
    await view.waitForText("<b>bold</b>");
    await view.waitForText("9007199254740993");
    expect(await view.frame.evaluate("document.querySelectorAll('img, b, main script').length")).toBe(0);
    await view.click("Show all of long, row 1");
    expect(Number(await view.frame.evaluate("document.querySelector('pre').textContent.length"))).toBeGreaterThan(30_000);
    expect(await view.overflow()).toBe(0);
    expect(await view.problems()).toEqual([]);
  });

  test("shows a failed call, and a result without rows", async () => {
    await using failed = await stage.show(rows("SELECT * FROM nowhere"));
    await failed.waitForState("error");
    expect(await failed.text()).toContain("nowhere");
    await using empty = await stage.show(rows("SELECT id FROM orders WHERE id < 0"));
    await empty.waitForState("empty");
    expect(await empty.text()).toContain("No rows. Columns: id");
  });
});

describe("the chart", () => {
  const table = async (view: OpenView): Promise<string[]> =>
    (await view.frame.evaluate(
      "[...document.querySelectorAll('#panel-1 tr[aria-rowindex]')].map((row) => [...row.children].map((cell) => cell.textContent).join())",
    )) as string[];
  const title = async (view: OpenView): Promise<unknown> => await view.frame.evaluate("document.querySelector('.chart')?.ariaLabel");

  test.each([
    ["a text and a number", "SELECT name, id * 10 AS amount FROM customers ORDER BY id", "Bar chart: amount by name, 3 bars.", "Ada,10"],
    [
      "a date and a number",
      "SELECT placed, total FROM orders ORDER BY id DESC",
      "Line chart: total by placed, 30 points.",
      "2026-01-02,37",
    ],
    ["two numbers", "SELECT total AS one, customer_id * 2 AS two FROM orders", "Scatter chart: two by one, 30 points.", "3,4"],
    ["one number", "SELECT total FROM orders", "Histogram of total, 5 bins.", "0 to 20,6"],
  ])("of %s has the fitting kind, and its data as a table", async (_columns, query, wanted, firstRow) => {
    await using view = await stage.show(rows(query));
    await view.waitForState("ready");
    await view.click("Chart");
    await view.waitForText(wanted);
    expect((await table(view))[1]).toBe(firstRow);
    expect(await title(view)).toContain(wanted.slice(0, -1));
    expect(Number(await view.frame.evaluate("document.querySelector('.chart canvas').width"))).toBeGreaterThan(200);
    expect(await view.accessibilityViolations()).toEqual([]);
    expect(await view.overflow()).toBe(0);
    expect(await view.problems()).toEqual([]);
  });

  test("changes with its controls, the filter and the theme", async () => {
    await using view = await stage.show(rows("SELECT name, total, placed FROM orders JOIN customers ON customers.id = customer_id"));
    await view.waitForState("ready");
    await view.click("Chart");
    await view.waitForText("Line chart: total by placed, 30 points.");
    await view.frame.locator("aria/Kind").fill("bar");
    await view.waitForText("Bar chart: total by placed, 30 bars.");
    await view.frame.locator("aria/X").fill("0");
    await view.waitForText("Bar chart: total by name, 30 bars.");
    await view.frame.locator("aria/Kind").fill("histogram");
    await view.waitForText("Histogram of total");
    await view.frame.locator("aria/Filter").fill("Ada");
    await view.waitForText("10 rows of them match the filter.");
    const picture = "document.querySelector('.chart canvas').toDataURL()";
    const light = await view.frame.evaluate(picture);
    await view.page.evaluate("probe.setTheme('dark')");
    await expect.poll(() => view.frame.evaluate(picture)).not.toBe(light);
    expect(await view.problems()).toEqual([]);
  });

  test("draws 10,000 points, and the first 300 bars", async () => {
    const query =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i, (i * 7919) % 10007 AS mixed FROM n";
    await using view = await stage.show(rows(query, { limit: 10_000 }));
    await view.waitForState("ready");
    await view.click("Chart");
    await view.waitForText("Scatter chart: mixed by i, 10,000 points.");
    await view.frame.locator("aria/Kind").fill("bar");
    await view.waitForText("The first 300 of 10,000 rows.");
    expect(await view.problems()).toEqual([]);
  });

  test("names points that have no valid date", async () => {
    await using view = await stage.show(rows("SELECT '0000-00-00' AS day, 1 AS size UNION ALL SELECT '2026-01-01', 2"));
    await view.waitForState("ready");
    await view.click("Chart");
    await view.waitForText("Line chart: size by day, 1 point. 1 row without a valid date or number left out.");
  });

  test("of texts names the columns that it needs", async () => {
    await using view = await stage.show(rows("SELECT name FROM customers"));
    await view.waitForState("ready");
    await view.click("Chart");
    await view.waitForText("A chart needs a column of numbers; this result has none.");
  });
});

everyLook("the schema", stage, { call: () => ({ tool: "list_tables", args: {} }), shows: "customer_id" });

describe("the ER diagram", () => {
  const selected = async (view: OpenView): Promise<unknown> => await view.frame.evaluate("document.querySelector('.selected')?.ariaLabel");

  test("has the tables that describe_table relates, with types and keys", async () => {
    await using view = await stage.show({ tool: "describe_table", args: { table_name: "orders" } });
    await view.waitForState("ready");
    expect(await view.calledTools()).toEqual(["view_schema"]);
    expect(await selected(view)).toBe("Table orders, 4 columns");
    const drawn = await view.frame.evaluate("[...document.querySelectorAll('.er .table')].map((table) => table.ariaLabel)");
    expect(drawn).toEqual(["Table orders, 4 columns", "Table customers, 2 columns"]);
    expect(await view.frame.evaluate("[...document.querySelectorAll('.er .key')].map((key) => key.textContent).join()")).toBe("PK,FK,PK");
    expect(await view.text()).toContain("customer_id → customers");
  });

  test("selects tables by the list, by pointer and by keyboard", async () => {
    await using view = await stage.show({ tool: "list_tables", args: {} });
    await view.waitForState("ready");
    await view.click("customers");
    expect(await selected(view)).toBe("Table customers, 2 columns");
    await view.waitForText("Referenced by");
    await view.click("Table orders, 4 columns");
    expect(await selected(view)).toBe("Table orders, 4 columns");
    await view.frame.evaluate("document.querySelector('.er .table[aria-label^=\"Table customers\"]').focus()");
    await view.page.keyboard.press("Enter");
    expect(await selected(view)).toBe("Table customers, 2 columns");
    const before = await view.frame.evaluate("document.querySelector('.er > g').getAttribute('transform')");
    await view.page.keyboard.press("ArrowRight");
    await view.page.keyboard.press("+");
    expect(await view.frame.evaluate("document.querySelector('.er > g').getAttribute('transform')")).not.toBe(before);
    expect(await view.problems()).toEqual([]);
  });

  test("shows hostile names as text", async () => {
    await using view = await stage.show({ tool: "describe_table", args: { table_name: HOSTILE } });
    await view.waitForState("ready");
    await view.waitForText("<img src=x onerror=alert(1)>\\u202etxt.exe</script>");
    expect(await view.frame.evaluate("document.querySelectorAll('img, main script').length")).toBe(0);
    expect(await view.problems()).toEqual([]);
  });
});

describe("with --lean, and a large schema", () => {
  const leanStage = viewStage(stage);
  let home: TempFolder;
  beforeAll(async () => {
    home = tempFolder();
    const file = home.at("large.db");
    const db = new DatabaseSync(file);
    const table = (at: number): string =>
      `CREATE TABLE t${at} (id INTEGER PRIMARY KEY, up INT REFERENCES t${Math.floor(at / 2)}, other INT REFERENCES t${(at * 7) % 300});`;
    db.exec(Array.from({ length: 300 }, (_, at) => table(at)).join(""));
    db.close();
    await leanStage.serve("sqlite", [file, "--lean"]);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  test("reads rows from the text of a result", async () => {
    await using view = await leanStage.show(
      rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i FROM n", { limit: 150 }),
    );
    await view.waitForText("Rows 1–150; more follow.");
    await view.click("Next");
    await view.waitForText("Rows 151–200.");
    expect(await firstCells(view, 1)).toEqual(["151"]);
    expect(await view.problems()).toEqual([]);
  });

  test("says that tables follow where the host calls no tools", async () => {
    await using view = await leanStage.show({ tool: "list_tables", args: { limit: 30 } }, { callsTools: false });
    await view.waitForText("30 tables. More tables follow: this is one page of the list.");
  });

  test("draws a part of 300 tables, and each other one with its neighbours", async () => {
    await using view = await leanStage.show({ tool: "list_tables", args: {} });
    await view.waitForText("The diagram has 40 of 300 tables.");
    await view.frame.locator("aria/Find").fill("t299");
    await expect.poll(() => view.frame.evaluate("document.querySelectorAll('.tables button').length")).toBe(1);
    await view.click("t299");
    await view.waitForText("The diagram has 4 of 300 tables.");
    await view.waitForText("up → t149");
    expect(await view.accessibilityViolations()).toEqual([]);
    expect(await view.problems()).toEqual([]);
  });

  test("describes a table", async () => {
    await using view = await leanStage.show({ tool: "describe_table", args: { table_name: "T5" } });
    await view.waitForText("up → t2");
    expect(await view.problems()).toEqual([]);
  });

  test("shows long values of many rows as text", async () => {
    const query = `SELECT printf('%.*c', 1000000, 'x') AS a, replace(printf('%.*c', 200000, 'y'), 'y', '<b>') AS b`;
    await using view = await leanStage.show(rows(query, { limit: 10 }));
    await view.waitForState("ready");
    await view.waitForText("The server truncated 2 values.");
    await view.click("Show all of b, row 1");
    await view.waitForText("more characters are not shown.");
    expect(await view.frame.evaluate("document.querySelectorAll('b').length")).toBe(0);
    expect(await view.overflow()).toBe(0);
    expect(await view.problems()).toEqual([]);
  });
});
