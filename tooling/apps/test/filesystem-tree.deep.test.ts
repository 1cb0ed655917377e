// The tree view of the filesystem server, in a real browser.
import { mkdirSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyLook, viewStage } from "./support/view-tests.ts";

const MARKUP = "<img src=x onerror=alert(1)><b>bold<";
const REVERSED = "invoice\u202efdp.exe";
const TREE = "readme.md";

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  folder.write({
    [TREE]: "x".repeat(2048),
    "src/main.ts": "y".repeat(5000),
    "src/parts/deep.ts": "z".repeat(300),
    odd: { [MARKUP]: "12345", [REVERSED]: "", "line\nbreak": "" },
    empty: {},
    ignoring: { ".gitignore": "/node_modules\n*.js\n", "node_modules/a.js": "x".repeat(99), "lib/kept.ts": "123", "lib/built.js": "12345" },
    wide: {},
  });
  for (let at = 0; at < 10_000; at++) writeFileSync(folder.at("wide", `file-${String(at).padStart(5, "0")}.txt`), "x".repeat(at % 50));
  mkdirSync(folder.at("nothing"));
  mkdirSync(folder.at("src/parts/many"));
  for (let at = 0; at < 250; at++) writeFileSync(folder.at("src/parts/many", `${at}.txt`), "");
  await stage.serve("filesystem", [folder.path], { OARLOCK_NO_TRASH: "1" });
});
afterAll(() => folder[Symbol.asyncDispose]());

const tree = (path = folder.path, args: Record<string, unknown> = {}) => ({
  tool: "directory_tree",
  args: { path, excludePatterns: path === folder.path ? ["wide/*"] : [], ...args },
});

everyLook("the tree", stage, { call: () => tree(), shows: "5.2 KB" });

test("opens a directory with its sizes, and closes it", async () => {
  await using view = await stage.show(tree());
  await view.waitForText("5.2 KB");
  expect(await view.text()).not.toContain("main.ts");
  await view.click("Expand src");
  await view.waitForText("4.9 KB");
  await view.click("Expand parts");
  await view.waitForText("deep.ts");
  await expect.poll(() => view.calledTools()).toEqual(["view_folder_sizes", "view_folder_sizes", "view_folder_sizes"]);
  await view.click("Expand src");
  expect(await view.text()).not.toContain("main.ts");
  expect(await view.problems()).toEqual([]);
});

test("opens a directory by keyboard, and announces its state", async () => {
  await using view = await stage.show(tree());
  await view.waitForText("5.2 KB");
  const toggle = await view.frame.waitForSelector("aria/Expand src");
  await toggle?.focus();
  await view.page.keyboard.press("Enter");
  await view.waitForText("main.ts");
  expect(await toggle?.evaluate((node) => node.getAttribute("aria-expanded"))).toBe("true");
  expect(await view.accessibilityViolations()).toEqual([]);
});

test("sorts the largest entry first", async () => {
  await using view = await stage.show(tree());
  await view.waitForText("5.2 KB");
  await view.frame.select("select", "size");
  const names = "[...document.querySelectorAll('.name')].map((name) => name.textContent)";
  expect(await view.frame.evaluate(names)).toEqual(["src/", TREE, "ignoring/", "odd/", "empty/", "nothing/", "wide/"]);
});

test("shows an empty directory and a failed call as states of their own", async () => {
  await using empty = await stage.show(tree(folder.at("nothing")));
  await empty.waitForState("empty");
  expect(await empty.text()).toContain("This directory is empty.");
  await using failed = await stage.show(tree(folder.at("missing")));
  await failed.waitForState("error");
  expect(await failed.text()).toContain("missing");
  expect([...(await empty.accessibilityViolations()), ...(await failed.accessibilityViolations())]).toEqual([]);
});

test("shows names from outside as text, with control characters escaped", async () => {
  await using view = await stage.show(tree());
  await view.waitForText("5.2 KB");
  await view.click("Expand odd");
  await view.waitForText("fdp.exe");
  const text = await view.text();
  for (const visible of [MARKUP, "invoice\\u202efdp.exe", "line\\nbreak"]) expect(text).toContain(visible);
  expect(await view.frame.evaluate("document.querySelectorAll('main img, main b').length")).toBe(0);
  expect(await view.problems()).toEqual([]);
});

describe("the host", () => {
  test("changes the theme of the view while it is shown", async () => {
    await using view = await stage.show(tree());
    await view.waitForText("5.2 KB");
    const background = "getComputedStyle(document.body).backgroundColor";
    const light = await view.frame.evaluate(background);
    await view.page.evaluate("probe.setTheme('dark')");
    await view.frame.waitForSelector("html[data-theme=dark]");
    expect(await view.frame.evaluate(background)).not.toBe(light);
    expect(await view.accessibilityViolations()).toEqual([]);
  });

  test("gets an answer when it announces the end of the view", async () => {
    await using view = await stage.show(tree());
    await view.waitForState("ready");
    expect(await view.page.evaluate("probe.teardown()")).toEqual({});
    expect(await view.problems()).toEqual([]);
  });

  test("makes the frame as high as the view", async () => {
    await using view = await stage.show(tree());
    await view.waitForText("5.2 KB");
    const rest = async (): Promise<number> =>
      Number(await view.page.evaluate("document.querySelector('#view iframe').clientHeight")) -
      Number(await view.frame.evaluate("document.body.getBoundingClientRect().height"));
    await expect.poll(async () => Math.floor(await rest())).toBe(0);
  });
});

test("sizes the entries of the tree where it leaves out ignored files", async () => {
  await using view = await stage.show(tree(folder.at("ignoring"), { respectGitignore: true }));
  await view.waitForText("3 B");
  expect(await view.text()).not.toContain("node_modules");
  await view.click("Expand lib");
  await view.waitForText("kept.ts");
  expect(await view.text()).not.toContain("built.js");
});

test("counts the entries beyond the size of both replies", async () => {
  await using view = await stage.show(tree(folder.at("wide"), { maxEntries: 100 }));
  await view.waitForText("5,000 entries, at least");
  await view.waitForText("5,000 further entries are not shown.");
});

test("reports missing entries only in the directory that the tree cuts", async () => {
  await using view = await stage.show(tree(folder.path, { excludePatterns: ["wide/*"], maxEntries: 9 }), { callsTools: false });
  await view.waitForText("Sizes are missing");
  expect(await view.text()).not.toContain("Further entries");
  await view.click("Expand odd");
  await view.waitForText("Further entries are not shown.");
});

test("keeps the focus at the end of a list when its last batch appears", async () => {
  await using view = await stage.show(tree(folder.at("src/parts/many")));
  await view.waitForText("250 entries, 0 B");
  await view.click("Show 50 more of 250 entries");
  expect(await view.frame.evaluate("document.activeElement.textContent")).toBe("All 250 entries are shown.");
});

test("shows 10,000 entries in batches of 200", async () => {
  await using view = await stage.show(tree(folder.at("wide"), { maxEntries: 10_000 }));
  await view.waitForState("ready");
  await view.waitForText("10,000 entries, at least");
  await view.click("Show 200 more of 10,000 entries");
  await view.waitForText("file-00399.txt");
  expect(await view.frame.evaluate("document.querySelectorAll('.row').length")).toBe(400);
  const [paint] = (await view.frame.evaluate(
    "performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime)",
  )) as number[];
  console.log(`10,000 entries: first paint after ${Math.round(paint ?? 0)} ms, longest task ${Math.round(await view.longestTask())} ms`);
  expect(await view.problems()).toEqual([]);
});
