// The views of the git server, in a real browser.
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository } from "../../../servers/git/test/support/repository.ts";
import { everyLook, viewStage } from "./support/view-tests.ts";

const MARKUP = `<img src=x onerror="document.body.textContent='hacked'"><script>throw 1</script>`;
const HOSTILE = `${MARKUP}\u202etxt.exe`;

const stage = viewStage();
let folder: TempFolder;
let merge: string;
beforeAll(async () => {
  folder = tempFolder();
  const repository = makeRepository(folder.at("project"));
  const lines = Array.from({ length: 40 }, (_, line) => `line ${line + 1}`);
  repository.commit("first steps", { "a.txt": `${lines.join("\n")}\n`, "src/old.ts": "export const one = 1;\nexport const two = 2;\n" });
  repository.git("checkout", "--quiet", "-b", "topic");
  repository.commit(`odd ${HOSTILE}`, { "odd.txt": `${HOSTILE}\n${"x".repeat(1_200_000)}\n` });
  repository.git("checkout", "--quiet", "main");
  repository.commit("change a word", { "a.txt": `${lines.join("\n").replace("line 20", "line twenty")}\n` });
  repository.git("merge", "--quiet", "--no-ff", "-m", "join topic", "topic");
  merge = repository.git("rev-parse", "HEAD");
  repository.write({ "a.txt": `${lines.join("\n").replace("line 30", "line thirty")}\n`, "src/new.ts": "export const three = 3;\n" });
  repository.git("add", "src/new.ts");
  const wide = makeRepository(
    folder.at("wide"),
    Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f/${n}.txt`, "a few words\n".repeat(30)])),
  );
  wide.write(
    Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f/${n}.txt`, "a few words\n".repeat(15) + "other words\n".repeat(15)])),
  );
  wide.git("stash", "--quiet");
  wide.commit("many lines", { "many.txt": Array.from({ length: 6000 }, (_, line) => `the line with number ${line}\n`).join("") });
  wide.git("stash", "pop", "--quiet");
  makeRepository(folder.at("long")).fill(5000, 7);
  await stage.serve("git", ["--repositories-root", folder.path]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const call = (tool: string, args: Record<string, unknown> = {}) => ({ tool, args: { repo_path: folder.at("project"), ...args } });

describe("the diff view", () => {
  everyLook("a diff of the work tree", stage, { call: () => call("git_diff_unstaged"), shows: "line thirty" });

  test("marks the words that differ", async () => {
    await using view = await stage.show(call("git_diff", { target: "HEAD~1", base: "HEAD~2", paths: ["a.txt"] }), { width: 1200 });
    await view.waitForText("line twenty");
    expect(await view.frame.$$eval("ins, del", (marks) => marks.map(({ textContent }) => textContent))).toEqual(["20", "twenty"]);
  });

  test("shows staged changes", async () => {
    await using view = await stage.show(call("git_diff_staged"));
    await view.waitForText("export const three = 3;");
    expect(await view.problems()).toEqual([]);
  });

  test("shows the message of a commit, and markup, marks and long lines as text", async () => {
    await using view = await stage.show(call("git_show", { revision: "topic" }));
    await view.waitForText("odd <img");
    await view.waitForText("[column 1 of 1200000]");
    expect(await view.text()).toContain("\\u202etxt.exe");
    expect(await view.problems()).toEqual([]);
  });

  test("loads the patch of a cut file once for two clicks on Next", async () => {
    await using view = await stage.show({ tool: "git_show", args: { repo_path: folder.at("wide"), revision: "HEAD" } });
    await view.waitForText("longer than what is shown");
    await view.frame.evaluate(`document.querySelector(".foot button").click(), document.querySelector(".foot button").click()`);
    await view.frame.waitForFunction("document.querySelector('.foot').childElementCount === 0");
    expect(await view.calledTools()).toEqual(["view_diff"]);
  });

  test("loads only files of the paths of the call", async () => {
    await using view = await stage.show(call("git_diff", { target: "HEAD", base: "HEAD~2", paths: ["a.txt"] }));
    await view.waitForText("1 file,");
    await view.receive({ method: "ui/notifications/tool-result", params: { content: [{ type: "text", text: "" }] } });
    const paths = "probe.messages.find(({ method }) => method === 'tools/call')?.params.arguments.paths";
    await expect.poll(() => view.page.evaluate(paths)).toEqual(["a.txt"]);
  });

  test("folds 200 files, and loads a patch when its file opens", async () => {
    await using view = await stage.show({ tool: "git_diff_unstaged", args: { repo_path: folder.at("wide") } });
    await view.waitForText("200 files, +3,000 −3,000");
    await view.waitForText("f/99.txt");
    await view.frame.$eval("details.file:last-of-type summary", (summary) => (summary as unknown as { click(): void }).click());
    await expect.poll(() => view.calledTools()).toEqual(["view_diff"]);
    await expect.poll(() => view.frame.$$eval("details.file:last-of-type .line.added", (found) => found.length)).toBe(15);
    expect(await view.problems()).toEqual([]);
  });
});

describe("the history view", () => {
  everyLook("the history", stage, { call: () => call("git_log", { all_branches: true }), shows: "join topic" });

  test("shows the details and changes of the commit of a row", async () => {
    await using view = await stage.show(call("git_log"), { width: 1200 });
    await view.click("change a word");
    await view.waitForText("1 file, +1 −1");
    await view.waitForText("line twenty");
    expect(await view.accessibilityViolations()).toEqual([]);
    expect(await view.problems()).toEqual([]);
  });

  test("keeps a newer result when the commits of an older one arrive", async () => {
    await using view = await stage.show(call("git_log"));
    await view.click("change a word");
    await view.waitForText("Details of change a word are shown.");
    await view.frame.evaluate(
      "addEventListener('message', ({ data }) => { if (data.result?.structuredContent?.commits) hasReply = true; })",
    );
    // Without structured content the view asks the server for the commits.
    await view.receive({ method: "ui/notifications/tool-result", params: { content: [{ type: "text", text: "" }] } });
    const failed = { content: [{ type: "text", text: "The newer call failed." }], isError: true };
    await view.receive({ method: "ui/notifications/tool-result", params: failed });
    await view.frame.waitForFunction("globalThis.hasReply === true");
    expect(await view.text()).toBe("History\n\nThe newer call failed.");
  });

  test("shows markup in a subject as text", async () => {
    await using view = await stage.show(call("git_log", { grep: "odd" }));
    await view.waitForText(`odd ${MARKUP}\\u202etxt.exe`);
    expect(await view.problems()).toEqual([]);
  });

  test("draws a line from a merge to each of its parents", async () => {
    await using view = await stage.show(call("git_log", { revision: merge }));
    await view.waitForText("join topic");
    expect(await view.frame.$$eval("li:first-child path", (lines) => lines.length)).toBe(2);
  });

  test("shows older commits on Next, and 5,000 as a window", async () => {
    await using view = await stage.show({ tool: "git_log", args: { repo_path: folder.at("long"), max_count: 2000 } });
    await view.waitForText("Showing 2,000 commits");
    for (const count of ["2,500", "3,000", "3,500", "4,000", "4,500"]) {
      await view.click("Next");
      await view.waitForText(`Showing ${count} commits`);
    }
    await view.click("Next");
    await view.waitForText("5,000 commits");
    expect(await view.frame.$$eval(".commits li", (rows) => rows.length)).toBeLessThan(100);
    await view.frame.focus(".history");
    await view.page.keyboard.press("End");
    await view.waitForText("commit 0\n");
    expect(await view.problems()).toEqual([]);
  });
});

describe("the blame view", () => {
  const blame = (args: Record<string, unknown>) => call("git_blame", { revision: "HEAD", ...args });

  everyLook("a blame", stage, { call: () => blame({ path: "a.txt" }), shows: "line twenty" });

  test("shows age and commit of each line, and opens the details", async () => {
    await using view = await stage.show(blame({ path: "a.txt" }), { width: 1200 });
    await view.waitForText("years ago");
    await view.click("change a word");
    await view.waitForText("1 file, +1 −1");
    expect(await view.problems()).toEqual([]);
  });

  test("shows markup, directional marks and a megabyte line as text", async () => {
    await using view = await stage.show(blame({ path: "odd.txt" }));
    await view.waitForText(`${MARKUP}\\u202etxt.exe`);
    await view.waitForText("[column 1 of 1200000]");
    expect(await view.overflow()).toBe(0);
    expect(await view.problems()).toEqual([]);
  });

  test("shows the following lines on Next", async () => {
    await using view = await stage.show({ tool: "git_blame", args: { repo_path: folder.at("wide"), path: "many.txt", revision: "HEAD" } });
    await view.waitForText("more follow.");
    await view.click("Next");
    await view.waitForText("Lines up to 6,000 of 6,000.");
    expect(await view.calledTools()).toEqual(["view_blame"]);
    expect(await view.problems()).toEqual([]);
  });
});
