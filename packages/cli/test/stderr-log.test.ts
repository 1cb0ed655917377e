/** The log on stderr: levels, text for people, lines for machines. */
import { describe, expect, test, vi } from "vitest";
import { stderrLog } from "../src/stderr-log.ts";
import { run } from "./sample.ts";

const after = (stderr: string): string => stderr.replace("printed while starting\n", "");

describe("of a process", () => {
  test("is quiet but for what matters", async () => {
    const { stderr } = await run(["--start-with", "warning", "a"]);
    expect(after(stderr)).toBe('Warning: {"skipped":["a"]}\nsample 1.2.3 is ready on stdio\nclosing\n');
  });

  test("keeps to --log-level", async () => {
    const { stderr } = await run(["--start-with", "warning", "a"], { env: { OARLOCK_LOG_LEVEL: "warning" } });
    expect(after(stderr)).toBe('Warning: {"skipped":["a"]}\n');
    expect(after((await run(["--start-with", "warning", "--log-level", "error"])).stderr)).toBe("");
  });

  test("is one JSON object a line with --log-format json", async () => {
    const { stderr } = await run(["--start-with", "warning", "a", "--log-format", "json"]);
    const lines = after(stderr)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>); // JSON.parse throws on anything else
    expect(lines).toEqual([
      { time: expect.any(String), level: "warning", name: "sample", data: { skipped: ["a"] } },
      { time: expect.any(String), level: "notice", name: "sample", msg: "sample 1.2.3 is ready on stdio" },
      { time: expect.any(String), level: "notice", name: "sample", msg: "closing" },
    ]);
  });
});

describe("of what is logged", () => {
  /** What the sink writes while `use` runs. */
  function written(format: "text" | "json", use: (log: ReturnType<typeof stderrLog>) => void): string {
    const write = process.stderr.write;
    let text = "";
    process.stderr.write = (chunk: string | Uint8Array) => ((text += String(chunk)), true);
    try {
      use(stderrLog({ name: "sample", from: "debug", format }));
    } finally {
      process.stderr.write = write;
    }
    return text;
  }

  test("no line is ended and no terminal steered by it (G7)", () => {
    expect(written("text", (log) => log("error", "one\nError: two\r\u001b[31mred\u0000"))).toBe(
      "Error: one\n  Error: two\\u000d\\u001b[31mred\\u0000\n",
    );
    expect(written("json", (log) => log("error", "one\ntwo")).split("\n").length).toBe(2);
  });

  test("what cannot be shown, and what is too long, stays bounded (G3)", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    for (const format of ["text", "json"] as const) {
      expect(written(format, (log) => log("error", round))).toContain("cannot be shown");
      expect(written(format, (log) => log("error", undefined))).toContain("null");
      expect(written(format, (log) => log("error", { long: "x".repeat(1e6) })).length).toBeLessThan(20_000);
    }
  });

  test("a flood is cut, and the cut is said (G3)", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const lines = written("text", (log) => {
        for (let at = 0; at < 1000; at++) log("error", "again");
        vi.advanceTimersByTime(1000);
        log("error", "later");
      }).split("\n");
      expect(lines.slice(0, 200).every((line) => line === "Error: again")).toBe(true);
      expect(lines.slice(200)).toEqual(["Warning: 800 log entries left out: more than 200 a second", "Error: later", ""]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("an error comes with its stack in text, on one line in JSON", () => {
    const error = new RangeError("too far");
    expect(written("text", (log) => log("error", error))).toMatch(/^Error: RangeError: too far\n {6}at /);
    expect(written("json", (log) => log("error", error))).toMatch(/^\{.*"msg":"RangeError: too far\\n.*\}\n$/);
  });
});
