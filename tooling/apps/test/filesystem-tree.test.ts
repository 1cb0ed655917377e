// The tree view of the filesystem server, in a real browser.
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyLook, viewStage } from "../src/harness/view-tests.ts";

const HOSTILE = `<img src=x onerror=alert(1)>\u202etxt.exe`;

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  folder.write({
    "readme.md": "x".repeat(2048),
    "src/main.ts": "y".repeat(5000),
    "src/parts/deep.ts": "z".repeat(300),
    [`odd/${HOSTILE}`]: "odd",
    empty: {},
  });
  await stage.serve("filesystem", [folder.path], { OARLOCK_NO_TRASH: "1" });
});
afterAll(() => folder[Symbol.asyncDispose]());

const tree = (args: Record<string, unknown> = {}) => ({ tool: "directory_tree", args: { path: folder.path, ...args } });

everyLook("the tree", stage, { call: () => tree(), shows: "5.2 KB" });

test("a directory opens with its sizes and closes again", async () => {
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
