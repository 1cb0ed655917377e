/** Tests the log on stderr: levels, text and JSON. */
import { describe, expect, test, vi } from "vitest";
import { stderrLog } from "../src/stderr-log.ts";
import { run } from "./support/sample-in-memory.ts";

const after = (stderr: string): string => stderr.replace("printed while starting\n", "");

describe("the log of a process", () => {
  test("starts at the level notice", async () => {
    const { stderr } = await run(["--start-with", "warning", "a"]);
    expect(after(stderr)).toBe('Warning: {"skipped":["a"]}\nsample 1.2.3 is ready on stdio\nclosing\n');
  });

  test("follows --log-level", async () => {
    const { stderr } = await run(["--start-with", "warning", "a"], { env: { OARLOCK_LOG_LEVEL: "warning" } });
    expect(after(stderr)).toBe('Warning: {"skipped":["a"]}\n');
    expect(after((await run(["--start-with", "warning", "--log-level", "error"])).stderr)).toBe("");
  });

  test("writes one JSON object per line with --log-format json", async () => {
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

test.each([
  ["an unknown switch", ["--log-format=json", "--nonsense"], "Unknown switch", 2],
  [
    "a port for two things",
    ["--http", "--port=39207", "--ops-port=39207", "--log-format", "json"],
    "--port and --ops-port are both 39207",
    2,
  ],
])("writes the reason of a failed start as a JSON object too: %s", async (_, args, reason, code) => {
  const ended = await run(args);
  const [line = "", ...rest] = after(ended.stderr).trimEnd().split("\n");
  expect(JSON.parse(line)).toMatchObject({ level: "error", name: "sample", msg: expect.stringContaining(reason) });
  expect([ended.code, rest]).toEqual([code, []]);
});

describe("a logged value", () => {
  /** What the log writes while `use` runs. */
  function written(format: "text" | "json", use: (log: ReturnType<typeof stderrLog>) => void): string {
    const texts: string[] = [];
    use(stderrLog({ name: "sample", from: "debug", format, to: { write: (text) => texts.push(text) > 0 } }));
    return texts.join("");
  }

  test("neither ends a line nor sends control characters to a terminal (G7)", () => {
    expect(written("text", (log) => log("error", "one\nError: two\r\u001b[31mred\u0000"))).toBe(
      "Error: one\n  Error: two\\u000d\\u001b[31mred\\u0000\n",
    );
    expect(written("json", (log) => log("error", "one\ntwo")).split("\n").length).toBe(2);
  });

  test.each(["text", "json"] as const)("shows directional marks and C1 controls as escapes in %s", (format) => {
    const line = written(format, (log) => log("error", "a\u202eb\u009bc\u2028d\u007f"));
    expect(line).toContain("a\\u202eb\\u009bc\\u2028d\\u007f");
    expect(line.trimEnd().split("\n").length).toBe(1);
  });

  test.each([
    ["?sslpassword=S", "?sslpassword=***"],
    ["?sslmode=require&sig=S&se=S;code=S", "?sslmode=require&sig=***&se=***;code=***"],
    ["?S", "?***"],
    ["?%73slmode=S", "?***"],
    ["?SSLMODE=require&x-amz-signature=S.", "?SSLMODE=require&x-amz-signature=***."],
    ["#access_token=S", "#access_token=***"],
    ["?application_name=a#S", "?application_name=a#***"],
  ])("hides parameters unless they are known to be harmless: %s", (given, hidden) => {
    expect(written("text", (log) => log("error", `of https://a.example/p${given} failed`))).toBe(
      `Error: of https://a.example/p${hidden} failed\n`,
    );
  });

  test("stays within a length, also without JSON (G3)", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    for (const format of ["text", "json"] as const) {
      expect(written(format, (log) => log("error", round))).toContain("cannot be shown");
      expect(written(format, (log) => log("error", undefined))).toContain("null");
      expect(written(format, (log) => log("error", { long: "x".repeat(1e6) })).length).toBeLessThan(20_000);
    }
  });

  test.each(["text", "json"] as const)("hides secrets in %s, and stays JSON", (format) => {
    const secret = "s3cr3t-4711";
    const entries: unknown[] = [
      `postgres://ada:${secret}@db/x refused`,
      `Authorization: Bearer ${secret}`,
      `started with --token ${secret}`,
      { url: `https://ada:${secret}@x/`, nested: [{ password: secret, clientSecret: secret, note: `token=${secret}` }] },
      { "x-api-key": secret, authToken: secret, OARLOCK_AUTH_TOKEN: secret },
      `postgres://ada:p@${secret}@db/x`,
      new Error(`connect redis://:${secret}@cache failed`),
    ];
    const text = written(format, (log) => {
      for (const entry of entries) log("error", entry);
    });
    expect(text).not.toContain(secret);
    expect(text).toContain("db/x refused");
    if (format === "json") for (const line of text.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ level: "error" });
  });

  test("is dropped beyond 200 per second, with a warning (G3)", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const lines = written("text", (log) => {
        for (let at = 0; at < 1000; at++) log("error", "again");
        vi.advanceTimersByTime(1000);
        log("error", "later");
      }).split("\n");
      expect(lines.slice(0, 200).every((line) => line === "Error: again")).toBe(true);
      expect(lines.slice(200)).toEqual(["Warning: Dropped 800 log entries: more than 200 per second.", "Error: later", ""]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is written beyond that limit if it is the reason of a crash", () => {
    const text = written("text", (log) => {
      for (let at = 0; at < 1000; at++) log("error", "again");
      log("critical", "the end");
    });
    expect(text).toMatch(/Critical: the end\n$/);
  });

  test("includes an error's stack in text, and on one line in JSON", () => {
    const error = new RangeError("too far");
    expect(written("text", (log) => log("error", error))).toMatch(/^Error: RangeError: too far\n {6}at /);
    expect(written("json", (log) => log("error", error))).toMatch(/^\{.*"msg":"RangeError: too far\\n.*\}\n$/);
  });
});
