// The diff view of the filesystem server, in a real browser.
import { readFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyLook, viewStage } from "./support/view-tests.ts";

const HOSTILE = `<script>throw 1</script><img src=x onerror=alert(1)>\u202etxt.exe`;

const stage = viewStage();
let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  await stage.serve("filesystem", [folder.path], { OARLOCK_NO_TRASH: "1" });
});
afterAll(() => folder[Symbol.asyncDispose]());

const POEM = "The first line\nThe second line\nThe third line\n";

/** A call on a new file. */
function edit(name: string, options: Record<string, unknown> = {}, newText = "The changed line") {
  folder.write({ [name]: POEM });
  const path = folder.at(name);
  return { tool: "edit_file", args: { path, edits: [{ oldText: "The second line", newText }], ...options } };
}

everyLook("a dry run", stage, { call: () => edit("look.txt", { dryRun: true }), shows: "Preview: 1 replacement." });

test("Apply makes the edit of a dry run by edit_file", async () => {
  await using view = await stage.show(edit("apply.txt", { dryRun: true }));
  await view.waitForText("The file is unchanged.");
  expect(readFileSync(folder.at("apply.txt"), "utf8")).toBe(POEM);
  await view.click("Apply");
  await view.waitForText("Applied: 1 replacement.");
  expect(readFileSync(folder.at("apply.txt"), "utf8")).toBe(POEM.replace("second", "changed"));
  expect(await view.calledTools()).toEqual(["edit_file"]);
  expect(await view.text()).not.toContain("Apply\n");
  expect(await view.problems()).toEqual([]);
});

test("Apply makes the edit that is shown when the arguments of another call have come", async () => {
  await using view = await stage.show(edit("shown.txt", { dryRun: true }));
  await view.waitForText("The file is unchanged.");
  const { args } = edit("shown.txt", { dryRun: true }, "Another line");
  await view.receive({ method: "ui/notifications/tool-input", params: { arguments: args } });
  await view.click("Apply");
  await view.waitForText("Applied: 1 replacement.");
  expect(readFileSync(folder.at("shown.txt"), "utf8")).toBe(POEM.replace("second", "changed"));
});

test("Apply is missing, with its reason, when the host drops structuredContent", async () => {
  await using view = await stage.show(edit("no-etag.txt", { dryRun: true }));
  await view.waitForText("Preview: 1 replacement.");
  const text = "```diff\nIndex: a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n```";
  await view.receive({ method: "ui/notifications/tool-result", params: { content: [{ type: "text", text }] } });
  await view.waitForText("Apply needs the etag of the preview, which this host does not pass on.");
  expect(await view.frame.$("button")).toBeNull();
});

test("moves the focus to the outcome when Apply disappears", async () => {
  await using view = await stage.show(edit("focus.txt", { dryRun: true }));
  await view.waitForText("Preview");
  await view.click("Apply");
  await view.waitForText("The edit was applied.");
  expect(await view.frame.evaluate("document.activeElement.textContent")).toBe("Applied: 1 replacement.");
});

test("offers no Apply for an edit that was made", async () => {
  await using view = await stage.show(edit("made.txt"));
  await view.waitForText("Applied: 1 replacement.");
  expect(await view.frame.$("button")).toBeNull();
});

test("leaves a file that changed after the dry run", async () => {
  await using view = await stage.show(edit("stale.txt", { dryRun: true }));
  await view.waitForText("Preview");
  folder.write({ "stale.txt": `${POEM}A new line\n` });
  await view.click("Apply");
  await view.waitForText("The edit failed.");
  expect(readFileSync(folder.at("stale.txt"), "utf8")).toBe(`${POEM}A new line\n`);
});

test("leaves the file when the host's user declines the call", async () => {
  await using view = await stage.show(edit("declined.txt", { dryRun: true }));
  await view.waitForText("Preview");
  await view.page.evaluate("probe.declineCalls()");
  await view.click("Apply");
  await view.waitForText("The edit was declined");
  expect(readFileSync(folder.at("declined.txt"), "utf8")).toBe(POEM);
});

test("shows markup, directional marks and long lines as text", async () => {
  const call = edit("odd.txt", { dryRun: true }, HOSTILE);
  folder.write({ "odd.txt": `${"x".repeat(20_000)}\n${POEM}` });
  await using view = await stage.show(call, { width: 1200 });
  await view.waitForText("<script>throw 1</script><img src=x onerror=alert(1)>\\u202etxt.exe");
  await view.waitForText("of 20000]");
  expect(await view.overflow()).toBe(0);
  expect(await view.problems()).toEqual([]);
});

test("lists a diff beyond the size of a reply as left out, without Apply", async () => {
  const call = edit("long.txt", { dryRun: true });
  folder.write({ "long.txt": `${"x".repeat(3_000_000)} ${POEM}` });
  await using view = await stage.show(call);
  await view.waitForText("The diff of this file is longer than what is shown.");
  await view.waitForText("Preview: 1 replacement.");
  await view.waitForText("It cannot be applied here, because the diff is cut.");
  await view.waitForText("+1");
  expect(await view.frame.$("button")).toBeNull();
});

test("offers no Apply for a changed line that is too long to show", async () => {
  const call = edit("wide.txt", { dryRun: true });
  folder.write({ "wide.txt": `${"x".repeat(30_000)}The second line\n` });
  await using view = await stage.show(call);
  await view.waitForText("It cannot be applied here, because the diff is cut.");
  expect(await view.frame.$("button")).toBeNull();
});

test("Apply appears with the last of many changes", async () => {
  const lines = Array.from({ length: 101 }, (_, at) => `The second line\n${`other ${at}\n`.repeat(20)}`);
  folder.write({ "many.txt": lines.join("") });
  const edits = [{ oldText: "The second line", newText: "The changed line", replaceAll: true }];
  await using view = await stage.show({ tool: "edit_file", args: { path: folder.at("many.txt"), edits, dryRun: true } });
  await view.waitForText("Apply appears when every change is shown.");
  const names = () =>
    view.frame.$$eval("button", (buttons: { textContent: string | null }[]) => buttons.map(({ textContent }) => textContent));
  for (let count = 0; count < 20 && !(await names()).includes("Apply"); count += 1) {
    const [more] = (await names()).filter((name) => name?.startsWith("Show "));
    await view.click(more!);
    await view.page.evaluate("new Promise((done) => setTimeout(done, 50))");
  }
  await view.click("Apply");
  await view.waitForText("Applied: 101 replacements.");
});
