// The graph view of the memory server, in a real browser.
import { connectTo, nodeCommand, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyLook, viewStage } from "./support/view-tests.ts";

const HOSTILE = `<img src=x onerror="document.title='hacked'">\u202etxt.exe`;
const SERVER = new URL("../../../servers/memory/dist/bin.js", import.meta.url);

const entity = (name: string, entityType: string, ...observations: string[]) => ({ name, entityType, observations });
const relation = (from: string, relationType: string, to: string) => ({ from, to, relationType });
const jsonl = (type: string, records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify({ type, ...record })}\n`).join("");

const MANY = 2000;
const many = Array.from({ length: MANY }, (_, at) => entity(`Member ${at}`, `kind ${at % 12}`, `fact ${at}`));
const manyRelations = Array.from({ length: MANY }, (_, at) => relation(`Member ${at}`, "knows", `Member ${Math.floor(at / 3)}`));

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  const people = [
    entity("Ada", "person", "lives in Bath", "likes tea"),
    entity("Ben", "person"),
    entity("Cleo", "person"),
    entity("tea", "drink", "comes from China"),
    entity("huge", "text", `start ${"x".repeat(900_000)} end`),
    entity("crowd", "group"),
    entity(HOSTILE, "<b>bold</b>", "<script>document.title='hacked'</script>", "\u2066isolated\u2069"),
  ];
  const relations = [
    relation("Ada", "drinks", "tea"),
    relation("Ben", "knows", "Ada"),
    relation("Cleo", "knows", "Ben"),
    relation("Ada", "<i>sees</i>", HOSTILE),
    ...Array.from({ length: 350 }, (_, at) => relation("crowd", "has", `Stranger ${at}`)),
  ];
  folder.write({
    "memory.jsonl": jsonl("entity", [...many, ...people]) + jsonl("relation", [...relations, ...manyRelations]),
  });
  const db = `--db=${folder.at("memory.jsonl")}`;
  {
    await using writer = await connectTo(nodeCommand(SERVER, [db]));
    const changed = { entityName: "Ada", contents: ["lives in York"], supersedes: ["lives in Bath"] };
    await writer.client.call("add_observations", { observations: [changed] });
  }
  await stage.serve("memory", [db]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const open = (...names: string[]) => ({ tool: "open_nodes", args: { names } });

everyLook("the graph", stage, { call: () => open("Ada", "Ben"), shows: "Cleo" });

test("shows the relations that Expand adds in open details", async () => {
  await using view = await stage.show({ tool: "search_nodes", args: { query: "comes from China" } });
  await view.click("Ada");
  await view.waitForText("1 relation\n");
  await view.click("Expand Ada");
  await view.waitForText("2 entities and 2 relations added around Ada.");
  const details = "document.querySelector('.details').textContent";
  expect(await view.frame.evaluate(details)).toContain("3 relations");
  expect(await view.frame.evaluate(details)).toContain("← knows Ben");
});

test("requests the neighbours of an entity on Expand", async () => {
  await using view = await stage.show({ tool: "search_nodes", args: { query: "comes from China" } });
  await view.waitForText("2 entities, 1 relation");
  expect(await view.text()).not.toContain("Ben");
  await view.click("Expand Ada");
  await view.waitForText("2 entities and 2 relations added around Ada.");
  await view.waitForText("4 entities, 3 relations");
  await view.click("Expand Ben");
  await view.waitForText("Cleo");
  await view.click("Expand Cleo");
  await view.waitForText("Nothing else is related to Cleo.");
  expect(await view.calledTools()).toEqual(["view_neighbours", "view_neighbours", "view_neighbours"]);
  expect(await view.problems()).toEqual([]);
});

test("shows observations, relations and superseded facts of the selected entity", async () => {
  await using view = await stage.show(open("Ada"));
  await view.click("tea");
  await view.waitForText("comes from China");
  await view.click("Ada, person");
  await view.waitForText("lives in York");
  expect(await view.text()).not.toContain("lives in Bath");
  await view.click("Timeline of Ada");
  await view.waitForText("Superseded");
  expect(await view.frame.evaluate("document.querySelector('.past s').innerText")).toBe("lives in Bath");
  expect(await view.frame.evaluate("document.querySelector('.past .successor').innerText")).toBe("lives in York");
  expect(await view.accessibilityViolations()).toEqual([]);
  expect(await view.problems()).toEqual([]);
});

test("reads a selected entity that only a relation names", async () => {
  await using view = await stage.show({ tool: "traverse_graph", args: { start: "Cleo", depth: 3 } });
  await view.click("tea, drink");
  await view.waitForText("comes from China");
  await expect.poll(() => view.calledTools()).toEqual(["open_nodes"]);
});

test.each([
  { call: { tool: "search_nodes", args: { query: "zeppelin" } }, state: "empty", shows: 'No entity matches "zeppelin".' },
  { call: open("adda"), state: "empty", shows: "Not found: adda." },
  { call: { tool: "traverse_graph", args: { start: "Ada", to: "huge" } }, state: "empty", shows: "No path was found" },
  { call: { tool: "traverse_graph", args: { start: "Adda" } }, state: "error", shows: "Did you mean Ada?" },
] as const)("$call.tool shows: $shows", async ({ call, state, shows }) => {
  await using view = await stage.show(call);
  await view.waitForState(state);
  await view.waitForText(shows);
});

test("follows a relation to the entity at its other end", async () => {
  await using view = await stage.show(open("Ada"));
  await view.waitForText("lives in York");
  const link = `[...document.querySelectorAll(".relations button")].find(({ textContent }) => textContent === "tea")`;
  await view.frame.evaluate(`${link}.focus(), ${link}.click()`);
  await view.waitForText("comes from China");
  expect(await view.frame.evaluate("document.activeElement.textContent")).toBe("tea");
});

test("draws a canvas when expanding brings more than 300 entities", async () => {
  await using view = await stage.show({ tool: "traverse_graph", args: { start: "crowd", limit: 50 } });
  await view.frame.waitForSelector("svg.picture");
  for (const rest of [250, 150, 50]) {
    await view.click("Expand crowd");
    await view.waitForText(`It has ${rest} further relations: expand it again.`);
  }
  await view.click("Expand crowd");
  await view.waitForText("351 entities, 350 relations");
  await view.frame.waitForSelector("canvas.picture");
  expect(await view.problems()).toEqual([]);
});

test("expands the graph of the past as of its time", async () => {
  await using view = await stage.show({ tool: "open_nodes", args: { names: ["Ada"], asOf: "2999-01-01" } });
  await view.waitForText("as of 2999-01-01.");
  await view.click("Expand Ben");
  await view.waitForText("Cleo");
  expect(await view.problems()).toEqual([]);
});

test("moves between entities by arrow keys, and selects by Enter", async () => {
  await using view = await stage.show({ tool: "traverse_graph", args: { start: "Cleo", to: "Ada" } });
  await view.waitForText("Path: Cleo → Ben → Ada");
  await view.frame.waitForSelector("svg[data-settled]");
  await view.frame.evaluate(`document.querySelector("g.node[tabindex='0']").focus()`);
  const focused = async (): Promise<string> => String(await view.frame.evaluate("document.activeElement.getAttribute('aria-label')"));
  const start = await focused();
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) {
    await view.page.keyboard.press(key);
    if ((await focused()) !== start) break;
  }
  expect(await focused()).not.toBe(start);
  const name = await focused();
  await view.page.keyboard.press("Enter");
  expect(await view.frame.evaluate("document.querySelector('g[aria-pressed=true]').getAttribute('aria-label')")).toBe(name);
});

test("fills the region of the picture with few entities", async () => {
  await using view = await stage.show(open("Ada", "Ben"), { width: 1200 });
  await view.frame.waitForSelector("svg[data-settled]");
  const share = `(() => {
    const [stage, ...nodes] = [".stage", "g.node circle"].flatMap((each) => [...document.querySelectorAll(each)]).map((part) => part.getBoundingClientRect());
    const extent = (side) => Math.max(...nodes.map((box) => box[side])) - Math.min(...nodes.map((box) => box[side]));
    return Math.max(extent("x") / stage.width, extent("y") / stage.height);
  })()`;
  expect(Number(await view.frame.evaluate(share))).toBeGreaterThan(0.7);
  expect(await view.overflow()).toBe(0);
});

describe("hostile content", () => {
  test("shows markup, scripts and directional marks as text", async () => {
    await using view = await stage.show(open(HOSTILE));
    await view.click(`<img src=x onerror="docu…, <b>bold</b>`);
    await view.click(`Timeline of <img src=x onerror="document.title='hacked'">\\u202etxt.exe`);
    await view.waitForText("Created as <b>bold</b>");
    await view.waitForText("<script>document.title='hacked'</script>");
    await view.waitForText("\\u2066isolated\\u2069");
    await view.waitForText("<b>bold</b>");
    await view.waitForText("<i>sees</i>");
    expect(await view.frame.evaluate("document.title")).toBe("oarlock-memory: graph");
    expect(await view.frame.evaluate("document.querySelectorAll('img, main script, main b').length")).toBe(0);
    expect(await view.accessibilityViolations()).toEqual([]);
    expect(await view.problems()).toEqual([]);
  });

  test("shows a text of a megabyte part by part", async () => {
    await using view = await stage.show({ tool: "open_nodes", args: { names: ["huge"], maxObservations: 1 } });
    await view.waitForText("start xxx");
    expect((await view.text()).length).toBeLessThan(5000);
    expect(await view.overflow()).toBe(0);
  });
});

describe("2,000 entities", () => {
  test("draws a canvas in slices, between which the page reacts, and lists all entities as text", async () => {
    await using view = await stage.show({ tool: "read_graph", args: { limit: 10_000 } });
    await view.waitForState("ready");
    await view.frame.waitForSelector("canvas[data-settled]", { timeout: 60_000 });
    await view.frame.evaluate(`{
      const { clearRect } = CanvasRenderingContext2D.prototype;
      window.drawings = 0;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) { window.drawings++; clearRect.apply(this, box); };
    }`);
    await view.click("Next");
    await view.waitForText("2,000 of 2,007 entities");
    await view.frame.waitForFunction("window.drawings > 10 && document.querySelector('canvas[data-settled]') !== null", {
      timeout: 60_000,
    });
    await view.waitForText("Left out:");
    expect(await view.frame.evaluate("document.querySelectorAll('.entities > li').length")).toBe(2000);
    expect(await view.problems()).toEqual([]);
  });

  test("shows the focus of the canvas, and moves and zooms it by keys", async () => {
    await using view = await stage.show({ tool: "read_graph", args: { limit: 400 } });
    await view.frame.waitForSelector("canvas[data-settled]", { timeout: 60_000 });
    await view.frame.focus("canvas");
    const picture = async (): Promise<unknown> => await view.frame.evaluate("document.querySelector('canvas').toDataURL()");
    const pictures = new Set([await picture()]);
    for (const key of ["ArrowRight", "ArrowUp", "+"] as const) {
      await view.page.keyboard.press(key);
      pictures.add(await picture());
    }
    expect(pictures.size).toBe(4);
    const ring = "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth].join(' '))(getComputedStyle(document.activeElement))";
    expect(await view.frame.evaluate(ring)).toBe("solid 2px");
    expect(await view.accessibilityViolations()).toEqual([]);
  });

  test("continues a full reply on Next", async () => {
    await using view = await stage.show({ tool: "read_graph", args: {} });
    await view.waitForState("ready");
    await view.waitForText(" of 2,007 entities");
    await view.click("Next");
    await expect.poll(() => view.calledTools()).toEqual(["view_relations", "read_graph", "view_relations"]);
    expect(await view.problems()).toEqual([]);
  });
});
