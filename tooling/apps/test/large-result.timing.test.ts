// Tasks of the result view of the SQLite server on many rows, in a real browser.
import { DatabaseSync } from "node:sqlite";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenView } from "../src/harness/open-view.ts";
import { recordTasks } from "./support/task-times.ts";
import { viewStage } from "./support/view-tests.ts";

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  new DatabaseSync(folder.at("empty.db")).close();
  await stage.serve("sqlite", [folder.at("empty.db")]);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** The first cell of the grid that is an element. */
const firstCell = async (view: OpenView): Promise<string> =>
  String(await view.frame.evaluate(`document.querySelector("tr[aria-rowindex] td:first-child").textContent`));

test("keeps the elements of 10,000 rows few, and its tasks about as short as those of 300", async () => {
  /** The longest task of scrolling, sorting and drawing, in milliseconds. */
  async function longestOf(count: number): Promise<number> {
    const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, 'row ' || i AS label, (i * 7919) % 10007 AS mixed FROM n`;
    await using view = await stage.show({ tool: "read_query", args: { query, limit: count } });
    await view.waitForText(`${count.toLocaleString("en")} rows.`);
    const longestTask = await recordTasks(view.page);
    expect(await view.frame.evaluate("document.querySelector('table').getAttribute('aria-rowcount')")).toBe(`${count + 1}`);
    await view.frame.evaluate(`document.querySelector('.rows').scrollTop = ${count / 2} * 28`);
    await view.waitForText(`row ${count / 2 + 5}`);
    expect(Number(await view.frame.evaluate("document.querySelectorAll('td').length"))).toBeLessThan(2000);
    await view.click("mixed");
    await expect.poll(() => firstCell(view)).not.toBe("1");
    await view.click("Chart");
    await view.waitForText("Bar chart: i by label, 300 bars.");
    expect(await view.problems()).toEqual([]);
    return await longestTask();
  }
  const few = await longestOf(300);
  expect(await longestOf(10_000)).toBeLessThan(3 * few); // 35 to 100 ms for 10,000, as the machine is; all rows in the page take seconds
});
