// The playground in a real browser: five examples in five revisions, edited code, code with errors, and code without end.
import { REVISIONS } from "@oarlock/server-kit/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { openPlayground, type Playground } from "./playground-page.ts";
import { show, violations } from "./site-page.ts";
import type { SiteStage } from "./site-stage.ts";

const NEWEST = REVISIONS[0]!;

/** What only the wire of this revision has. */
const WIRE: Readonly<Record<string, readonly string[]>> = {
  "2026-07-28": ["server/discover", "mcp-protocol-version: 2026-07-28", "io.modelcontextprotocol/clientInfo"],
  "2025-11-25": ['"protocolVersion": "2025-11-25"', "mcp-protocol-version: 2025-11-25", "mcp-session-id: "],
  "2025-06-18": ['"protocolVersion": "2025-06-18"', "mcp-protocol-version: 2025-06-18", "mcp-session-id: "],
  "2025-03-26": ['"protocolVersion": "2025-03-26"', "mcp-session-id: "],
  "2024-11-05": ['"protocolVersion": "2024-11-05"', "GET /sse", "POST /messages", "event: endpoint"],
};

const HEIGHT_BELOW_FOOTER = `Math.round(Math.abs(
  document.documentElement.scrollHeight - scrollY - document.querySelector(".VPFooter").getBoundingClientRect().bottom
))`;

export function testPlayground(stage: SiteStage): void {
  let playground: Playground;
  beforeAll(async () => {
    playground = await openPlayground(stage.browser, stage.site);
  });

  describe.each(REVISIONS)("in %s", (revision) => {
    const hasElicitation = revision >= "2025-06-18";

    /** Runs an example; returns its result. The wire and the state name the revision. */
    async function resultOf(example: string): Promise<string> {
      await playground.choose(example, revision);
      const result = await playground.run();
      expect(await playground.textOf(".status")).toContain(`in revision ${revision}.`);
      const wire = await playground.textOf(".entries");
      for (const text of WIRE[revision]!) expect(wire).toContain(text);
      return result;
    }

    test("the tool returns structured output", async () => {
      const result = await resultOf("A tool with structured output");
      expect(result).toContain(String.raw`{\"quotient\":1.5}`);
      expect(result.includes("structuredContent")).toBe(revision >= "2025-06-18");
    });

    test("the template reads a note, and completes its name", async () => {
      expect(await resultOf("Resources and a template")).toContain("A boat with two oars.");
      expect(await playground.send("completion/complete")).toContain('"shopping"');
    });

    test("the prompt is filled in", async () => {
      expect(await resultOf("A prompt with completion")).toContain("Review the style of this text");
    });

    test("the user is asked, where the revision has elicitation", async () => {
      const outcome = await resultOf("A tool that asks the user");
      if (!hasElicitation) return expect(outcome).toContain("This tool needs a client that supports elicitation.");
      expect(outcome).toContain('Delete the note "ideas"?');
      expect(await playground.answer("Decline")).toContain("Declined: the note was kept.");
      await playground.send("tools/call");
      await playground.page.click('.elicitation-form input[type="checkbox"]');
      expect(await playground.answer("Accept")).toContain("Deleted.");
    });

    test("progress is reported", async () => {
      expect(await resultOf("Progress of a long call")).toContain("Lift-off");
      expect(await playground.textOf(".entries")).toContain("notifications/progress");
    });
  });

  describe("with other code", () => {
    const server = (tool: string): string =>
      `import { defineServer, tool } from "@oarlock/server-kit"; import { toFetch } from "@oarlock/server-kit/fetch"; ` +
      `const divide = tool({ name: "divide", ${tool} }); export default { fetch: toFetch(defineServer({ name: "mine", version: "2.0.0", tools: [divide] })) };`;

    beforeAll(() => playground.choose("A tool with structured output", NEWEST));

    test.each([
      ["an edit changes the reply", server(`run: (): string => "edited reply"`), "edited reply"],
      ["a syntax error is shown with its position", "const x = ;", "Syntax error: Unexpected token in line 1, column 11"],
      ["an error is shown with its line", 'throw new Error("no oars");', "The code has thrown Error: no oars in line 1"],
      ["a missing export is named", "const x = 1;", "The code exports no server"],
      ["a module that the page lacks is named", 'import "node:fs";', "Module node:fs is not available in this page"],
      ["a tool without end is stopped", server("run() { for (;;); }"), "the code may have an endless loop"],
      ["the page goes on", server(`run: () => "still here"`), "still here"],
    ])("%s", async (_, code, expected) => {
      await playground.replaceCode(code);
      expect(await playground.run()).toContain(expected);
    });

    test("the error of a tool is in the log, and hidden from the client", async () => {
      await playground.replaceCode(server(`run() { throw new Error("secret cause"); }`));
      expect(await playground.run()).not.toContain("secret cause");
      expect(await playground.textOf(".log")).toContain("secret cause");
    });
  });

  describe("on every screen", () => {
    test.each([
      { width: 1200, theme: "light" },
      { width: 1200, theme: "dark" },
      { width: 400, theme: "light" },
      { width: 400, theme: "dark" },
    ] as const)("axe finds nothing at $width px, $theme", async (options) => {
      const { page } = playground;
      await show(page, options);
      await playground.choose("A tool that asks the user", NEWEST);
      await playground.run();
      expect(await page.evaluate(`document.documentElement.classList.contains("dark")`)).toBe(options.theme === "dark");
      expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(options.width);
      expect(await page.evaluate(HEIGHT_BELOW_FOOTER)).toBe(0);
      expect(await violations(page)).toEqual([]);
    });

    test("nothing was written to the console, and nothing loaded from elsewhere", () => {
      expect(playground.problems).toEqual([]);
    });
  });
}
