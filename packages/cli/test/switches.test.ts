/** What may stand on the command line and in the environment, seen from outside: exit codes, stderr, and what `create` got. */
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { HOME, look, run } from "./sample.ts";

const seen = (args: readonly string[], env: Record<string, string> = {}) => look(args, (sample) => sample.options(), { env });

describe("refused with exit 2 and one sentence that names the remedy", () => {
  const table: [args: string[], sentence: string, env?: Record<string, string>][] = [
    [["--raed-only"], 'Unknown switch "--raed-only": did you mean --read-only?'],
    [["--log_level=debug"], 'Unknown switch "--log_level": did you mean --log-level?'],
    [["--htp"], 'Unknown switch "--htp": did you mean --http?'],
    [["--__proto__"], 'Unknown switch "--__proto__": see sample --help'],
    [["-x"], 'Unknown switch "-x": see sample --help'],
    [["--two\nlines"], 'Unknown switch "--two\\nlines": see sample --help'],
    [["--deny"], '--deny needs a value: write --deny GLOB, or --deny=GLOB when it begins with "-"'],
    [["--deny", "--read-only"], '--deny needs a value: write --deny GLOB, or --deny=GLOB when it begins with "-"'],
    [["--deny="], '--deny expects GLOB, not "": correct it or leave it out'],
    [["--store", ""], '--store expects FILE, not "": correct it or leave it out'],
    [["--tools", "change,,wait"], '--tools expects A,B, not "": correct it or leave it out'],
    [[""], "An empty argument serves nothing: leave it out, or see sample --help"],
    [["--", "a", ""], "An empty argument serves nothing: leave it out, or see sample --help"],
    [["--timeout", "-5"], '--timeout expects a whole number above 0, not "-5": correct it or leave it out'],
    [["--max-bytes=0"], '--max-bytes expects a whole number above 0, not "0": correct it or leave it out'],
    [["--max-concurrency", "x"], '--max-concurrency expects a whole number above 0, not "x": correct it or leave it out'],
    [["--max-result-bytes", "-1"], '--max-result-bytes expects a whole number above 0, not "-1": correct it or leave it out'],
    [["--rate-limit", "5"], '--rate-limit expects a number above 0 and /s, as in 20/s, not "5": correct it or leave it out'],
    [["--roots", "widen"], '--roots expects one of narrow, replace, ignore, not "widen": correct it or leave it out'],
    [["--read-only=perhaps"], '--read-only expects 1, true, 0 or false, not "perhaps": correct it or leave it out'],
    [["--toolsets", "remotes"], 'Unknown toolset "remotes" in --toolsets: did you mean remote?'],
    [["--toolsets", "elsewhere"], 'Unknown toolset "elsewhere" in --toolsets: the toolsets are default, remote'],
    [["--tools", "chnage"], 'Unknown tool "chnage" in --tools: did you mean change?'],
    [["--exclude-tools", "wait,pusch"], 'Unknown tool "pusch" in --exclude-tools: did you mean push?'],
    [
      [],
      'OARLOCK_READ_ONLY expects 1, true, 0 or false, not "yes please": correct it or leave it out',
      { OARLOCK_READ_ONLY: "yes please" },
    ],
    [[], 'OARLOCK_READ_ONLY expects 1, true, 0 or false, not "": correct it or leave it out', { OARLOCK_READ_ONLY: "" }],
    [[], 'OARLOCK_TIMEOUT expects a whole number above 0, not "0": correct it or leave it out', { OARLOCK_TIMEOUT: "0" }],
    [[], 'OARLOCK_DENY expects GLOB, not "": correct it or leave it out', { OARLOCK_DENY: "*.a,,*.b" }],
    [[], 'Unknown tool "nothing_like_it" in --tools: the tools are ', { OARLOCK_TOOLS: "nothing_like_it" }],
  ];

  test.each(table)("%j: %s", async (args, sentence, env = {}) => {
    const { code, stdout, stderr } = await run(args, { env });
    const lines = stderr.split("\n").filter((line) => line !== "" && line !== "printed while starting");
    expect({ code, stdout, said: lines.length }).toEqual({ code: 2, stdout: "", said: 1 });
    expect(lines[0]?.startsWith(`Error: ${sentence}`)).toBe(true);
  });
});

describe("what create gets", () => {
  test("defaults, when nothing is said", async () => {
    expect(await seen([])).toEqual({
      deny: [],
      allowDelete: false,
      roots: "narrow",
      maxBytes: 1000,
      also: [],
      readOnly: false,
      maxResultBytes: 2_500_000,
      timeout: 120_000,
      things: [],
      home: HOME,
    });
  });

  test("switches of every type, between and before things", async () => {
    const args = ["one:ro", "--deny", "*.{a,b}", "--deny=-c", "--allow-delete", "two", "--roots=ignore", "--max-bytes", "7", "-"];
    expect(await seen(args)).toMatchObject({
      deny: ["*.{a,b}", "-c"],
      allowDelete: true,
      roots: "ignore",
      maxBytes: 7,
      things: ["one:ro", "two", "-"],
    });
  });

  test("after -- everything is a thing", async () => {
    expect(await seen(["--deny", "x", "--", "--read-only", "--"])).toMatchObject({
      deny: ["x"],
      readOnly: false,
      things: ["--read-only", "--"],
    });
  });

  test("the last of two values, and both of a list", async () => {
    expect(await seen(["--max-bytes", "1", "--max-bytes", "2", "--deny", "a", "--deny", "b"])).toMatchObject({
      maxBytes: 2,
      deny: ["a", "b"],
    });
  });

  test("the home folder for ~ in things and paths, and nowhere else", async () => {
    const args = ["~", "~/notes:ro", "~other", "a/~", "--store", "~/db", "--also", "~", "--also=~/x", "--deny", "~/secret"];
    expect(await seen(args)).toMatchObject({
      things: [HOME, `${HOME}/notes:ro`, "~other", "a/~"],
      store: `${HOME}/db`,
      also: [HOME, `${HOME}/x`],
      deny: ["~/secret"],
    });
  });

  test("the environment's twins, lists split at commas outside braces", async () => {
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

  test("a predecessor's variable where the twin is not set; a blank one says nothing", async () => {
    expect(await seen([], { SAMPLE_STORE: "~/old" })).toMatchObject({ store: `${HOME}/old` });
    expect(await seen([], { SAMPLE_STORE: "old", OARLOCK_STORE: "new" })).toMatchObject({ store: "new" });
    expect(await seen([], { SAMPLE_STORE: " " })).not.toHaveProperty("store");
  });

  test("a switch before the environment before the default", async () => {
    const env = { OARLOCK_MAX_BYTES: "9", OARLOCK_DENY: "a,b", OARLOCK_READ_ONLY: "1", OARLOCK_TIMEOUT: "nonsense" };
    expect(await seen(["--max-bytes=3", "--deny", "c", "--read-only=false", "--timeout", "1"], env)).toMatchObject({
      maxBytes: 3,
      deny: ["c"],
      readOnly: false,
      timeout: 1,
    });
  });
});

describe("the bounds hold", () => {
  const call = (name: string, args: object = {}) => ({ name, arguments: args });

  test("--max-result-bytes", async () => {
    await look(["--max-result-bytes", "1000"], async (sample) => {
      expect(await sample.ask("tools/call", call("big"))).toMatchObject({ result: { isError: true } });
    });
  });

  test("--timeout", async () => {
    await look(["--timeout", "1"], async (sample) => {
      const { result } = await sample.ask("tools/call", call("wait", { ms: 60_000 }));
      expect(result?.content?.[0]?.text).toBe("Timed out after 1 ms");
    });
  });

  test("--rate-limit", async () => {
    await look(["--rate-limit", "1/s"], async (sample) => {
      const [first, second] = await Promise.all([sample.ask("tools/call", call("big")), sample.ask("tools/call", call("big"))]);
      expect([first.error?.code, second.error?.code]).toEqual([undefined, 429]);
    });
  });

  test("--max-concurrency", async () => {
    await look(["--max-concurrency", "1"], async (sample) => {
      const slow = sample.ask("tools/call", call("wait", { ms: 100 }));
      const quick = sample.ask("tools/call", call("wait", { ms: 1 }));
      await Promise.all([slow, quick]);
      const order = [...sample.stdout.matchAll(/"id":(\d+),"result":\{"content"/g)].map(([, id]) => Number(id));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order.length).toBe(2);
    });
  });
});

test("stdout carries the protocol only, also while the server is made (RPC-27)", async () => {
  const { code, stdout, stderr } = await run([tmpdir()]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toBe("printed while starting\nsample 1.2.3 is ready on stdio\nclosing\n");
});
