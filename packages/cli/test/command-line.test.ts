/** Tests the command line and the environment: exit codes, stderr, and what `create` receives. */
import { describe, expect, test } from "vitest";
import { findWord } from "../src/command-line.ts";
import { switchesOf } from "../src/flags.ts";
import { HOME, look, run } from "./support/sample-in-memory.ts";

test("finds no switch by a short name that it does not have", () => {
  const flags = switchesOf({ store: { type: "path", value: "FILE", help: "where it is kept" } });
  expect(findWord("doctor", ["-undefined", "doctor"], flags)).toBe(1);
});

const seen = (args: readonly string[], env: Record<string, string> = {}) => look(args, (sample) => sample.options(), { env });

describe("exits with 2 and one sentence with the remedy for an invalid command line", () => {
  const table: [args: string[], sentence: string, env?: Record<string, string>][] = [
    [["--raed-only"], 'Unknown switch "--raed-only": did you mean --read-only?'],
    [["--log_level=debug"], 'Unknown switch "--log_level": did you mean --log-level?'],
    [["--htp"], 'Unknown switch "--htp": did you mean --http?'],
    [["--__proto__"], 'Unknown switch "--__proto__". See sample --help.'],
    [["-x"], 'Unknown switch "-x". See sample --help.'],
    [["--two\nlines"], 'Unknown switch "--two\\nlines". See sample --help.'],
    [["--deny"], '--deny needs a value. Write --deny GLOB, or --deny=GLOB if the value begins with "-".'],
    [["--deny", "--read-only"], '--deny needs a value. Write --deny GLOB, or --deny=GLOB if the value begins with "-".'],
    [["--deny="], 'Invalid value for --deny: expected GLOB, got "". Correct it or leave it out.'],
    [["--store", ""], 'Invalid value for --store: expected FILE, got "". Correct it or leave it out.'],
    [["--tools", "change,,wait"], 'Invalid value for --tools: expected A,B, got "". Correct it or leave it out.'],
    [[""], "Empty arguments are not allowed. Remove them, or see sample --help."],
    [["--", "a", ""], "Empty arguments are not allowed. Remove them, or see sample --help."],
    [["--timeout", "-5"], 'Invalid value for --timeout: expected a whole number above 0, got "-5". Correct it or leave it out.'],
    [["--max-bytes=0"], 'Invalid value for --max-bytes: expected a whole number above 0, got "0". Correct it or leave it out.'],
    [
      ["--max-concurrency", "x"],
      'Invalid value for --max-concurrency: expected a whole number above 0, got "x". Correct it or leave it out.',
    ],
    [
      ["--max-result-bytes", "-1"],
      'Invalid value for --max-result-bytes: expected a whole number above 0, got "-1". Correct it or leave it out.',
    ],
    [
      ["--rate-limit", "5"],
      'Invalid value for --rate-limit: expected a number above 0 and /s, as in 20/s, got "5". Correct it or leave it out.',
    ],
    [["--roots", "widen"], 'Invalid value for --roots: expected one of narrow, replace, ignore, got "widen". Correct it or leave it out.'],
    [["--read-only=perhaps"], 'Invalid value for --read-only: expected 1, true, 0 or false, got "perhaps". Correct it or leave it out.'],
    [["--toolsets", "remotes"], 'Unknown toolset "remotes" in --toolsets: did you mean remote?'],
    [
      ["--toolsets", "elsewhere"],
      'Unknown toolset "elsewhere" in --toolsets: expected one of default, remote. Correct it or leave it out.',
    ],
    [["--tools", "chnage"], 'Unknown tool "chnage" in --tools: did you mean change?'],
    [["--exclude-tools", "wait,pusch"], 'Unknown tool "pusch" in --exclude-tools: did you mean push?'],
    [
      [],
      'Invalid value for OARLOCK_READ_ONLY: expected 1, true, 0 or false, got "yes please". Correct it or leave it out.',
      { OARLOCK_READ_ONLY: "yes please" },
    ],
    [
      [],
      'Invalid value for OARLOCK_READ_ONLY: expected 1, true, 0 or false, got "". Correct it or leave it out.',
      { OARLOCK_READ_ONLY: "" },
    ],
    [
      [],
      'Invalid value for OARLOCK_TIMEOUT: expected a whole number above 0, got "0". Correct it or leave it out.',
      { OARLOCK_TIMEOUT: "0" },
    ],
    [[], 'Invalid value for OARLOCK_DENY: expected GLOB, got "". Correct it or leave it out.', { OARLOCK_DENY: "*.a,,*.b" }],
    [[], 'Unknown tool "nothing_like_it" in --tools: expected one of ', { OARLOCK_TOOLS: "nothing_like_it" }],
  ];

  test.each(table)("%j: %s", async (args, sentence, env = {}) => {
    const { code, stdout, stderr } = await run(args, { env });
    const lines = stderr.split("\n").filter((line) => line !== "" && line !== "printed while starting");
    expect({ code, stdout, lines: lines.length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(lines[0]?.startsWith(`Error: ${sentence}`)).toBe(true);
  });
});

describe("passes to create", () => {
  test("defaults without switches", async () => {
    expect(await seen([])).toEqual({
      deny: [],
      allowDelete: false,
      roots: "narrow",
      maxBytes: 1000,
      also: [],
      readOnly: false,
      maxResultBytes: 2_500_000,
      timeout: 120_000,
      positionals: [],
      home: HOME,
    });
  });

  test("switches of every type, before and between positionals", async () => {
    const args = ["one:ro", "--deny", "*.{a,b}", "--deny=-c", "--allow-delete", "two", "--roots=ignore", "--max-bytes", "7", "-"];
    expect(await seen(args)).toMatchObject({
      deny: ["*.{a,b}", "-c"],
      allowDelete: true,
      roots: "ignore",
      maxBytes: 7,
      positionals: ["one:ro", "two", "-"],
    });
  });

  test("every argument after -- as a positional", async () => {
    expect(await seen(["--deny", "x", "--", "--read-only", "--"])).toMatchObject({
      deny: ["x"],
      readOnly: false,
      positionals: ["--read-only", "--"],
    });
  });

  test("the last of two values, and both values of a list", async () => {
    expect(await seen(["--max-bytes", "1", "--max-bytes", "2", "--deny", "a", "--deny", "b"])).toMatchObject({
      maxBytes: 2,
      deny: ["a", "b"],
    });
  });

  test("the home directory for ~ in positionals and paths only", async () => {
    const args = ["~", "~/notes:ro", "~other", "a/~", "--store", "~/db", "--also", "~", "--also=~/x", "--deny", "~/secret"];
    expect(await seen(args)).toMatchObject({
      positionals: [HOME, `${HOME}/notes:ro`, "~other", "a/~"],
      store: `${HOME}/db`,
      also: [HOME, `${HOME}/x`],
      deny: ["~/secret"],
    });
  });

  test("values of environment variables, with lists split at commas outside braces", async () => {
    const env = {
      OARLOCK_DENY: "*.{a,b}, *.c",
      OARLOCK_ALLOW_DELETE: "1",
      OARLOCK_READ_ONLY: "TRUE",
      OARLOCK_ROOTS: "replace",
      OARLOCK_MAX_BYTES: "9",
      OARLOCK_ALSO: "~,/tmp",
      OARLOCK_TIMEOUT: "5000",
      OARLOCK_NOT_OURS: "",
    };
    expect(await seen([], env)).toMatchObject({
      deny: ["*.{a,b}", "*.c"],
      allowDelete: true,
      readOnly: true,
      roots: "replace",
      maxBytes: 9,
      also: [HOME, "/tmp"],
      timeout: 5000,
    });
  });

  test("the value of a legacy variable that is not blank, unless the switch's own variable is set", async () => {
    expect(await seen([], { SAMPLE_STORE: "~/old" })).toMatchObject({ store: `${HOME}/old` });
    expect(await seen([], { SAMPLE_STORE: "old", OARLOCK_STORE: "new" })).toMatchObject({ store: "new" });
    expect(await seen([], { SAMPLE_STORE: " " })).not.toHaveProperty("store");
  });

  test("the switch rather than the environment variable, and the variable rather than the default", async () => {
    const env = { OARLOCK_MAX_BYTES: "9", OARLOCK_DENY: "a,b", OARLOCK_READ_ONLY: "1", OARLOCK_TIMEOUT: "nonsense" };
    expect(await seen(["--max-bytes=3", "--deny", "c", "--read-only=false", "--timeout", "1"], env)).toMatchObject({
      maxBytes: 3,
      deny: ["c"],
      readOnly: false,
      timeout: 1,
    });
  });
});

describe("applies the limit of", () => {
  const call = (name: string, args: object = {}) => ({ name, arguments: args });

  test("--max-result-bytes", async () => {
    await look(["--max-result-bytes", "1000"], async (sample) => {
      expect(await sample.request("tools/call", call("big"))).toMatchObject({ result: { isError: true } });
    });
  });

  test("--fence", async () => {
    await look(["--fence"], async (sample) => {
      const textOf = async (): Promise<string> => (await sample.request("tools/call", call("big"))).result?.content?.[0]?.text ?? "";
      const [one, other] = [await textOf(), await textOf()];
      const [, mark = ""] = /^<(untrusted-[0-9a-f]{12})>\n/.exec(one) ?? [];
      expect(one.endsWith(`\n</${mark}>`)).toBe(true);
      expect(other).not.toContain(mark);
      expect((await sample.request("tools/call", call("encoded"))).result?.content?.[0]?.text).toMatch(
        /^<untrusted-[0-9a-f]{12}>\nas JSON\n<\/untrusted-/,
      );
      expect((await sample.request("tools/call", call("change"))).result?.content?.[0]?.text).toBe("changed");
    });
  });

  test("--timeout", async () => {
    await look(["--timeout", "1"], async (sample) => {
      const { result } = await sample.request("tools/call", call("wait", { ms: 60_000 }));
      expect(result?.content?.[0]?.text).toBe("Timed out after 1 ms");
    });
  });

  test("--rate-limit", async () => {
    await look(["--rate-limit", "1/s"], async (sample) => {
      const [first, second] = await Promise.all([sample.request("tools/call", call("big")), sample.request("tools/call", call("big"))]);
      expect([first.error?.code, second.error?.code]).toEqual([undefined, 429]);
    });
  });

  test.each([
    ["50", "task"],
    ["0", "complete"],
  ])("--task-after %s", async (afterMs, resultType) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
    };
    await look(["--task-after", afterMs, "--task-ttl", "5000"], async (sample) => {
      const { result } = await sample.request("tools/call", { ...call("wait", { ms: 200 }), _meta });
      expect(result).toMatchObject({ resultType, ...(resultType === "task" && { ttlMs: 5000 }) });
    });
  });

  test("--max-concurrency", async () => {
    await look(["--max-concurrency", "1"], async (sample) => {
      const slow = sample.request("tools/call", call("wait", { ms: 100 }));
      const quick = sample.request("tools/call", call("wait", { ms: 1 }));
      await Promise.all([slow, quick]);
      const order = [...sample.stdout.matchAll(/"id":(\d+),"result":\{"content"/g)].map(([, id]) => Number(id));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order.length).toBe(2);
    });
  });
});
