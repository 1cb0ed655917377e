/** The gate: every MUST and SHOULD has a test that names it, or a reason. */
import { describe, expect, test } from "vitest";
import { faultsOf, proofsOf, statesOf, type Ledger } from "./support/coverage.ts";
import { readLedger, REVISIONS } from "./support/ledger-files.ts";
import { parseNotes, parseRows } from "./support/requirements.ts";
import { idsIn, mentionsIn } from "./support/test-ids.ts";

const REASON = "Whoever embeds it decides that.";
const HEAD = "id\tarea\tside\tlevel\trevisions\trequirement\tcheck";

/** Three rows: one for servers, one for clients, one that only the newest revision has. */
const rows = parseRows(
  [
    HEAD,
    "ABC-01\tabc\tserver\tMUST\tall\tDo it\ttry",
    "ABC-02\tabc\tclient\tSHOULD\tstateful\tAsk for it\ttry",
    "X-Y-03\txy\tboth\tMAY\t2026-07-28\tLeave it\ttry",
  ].join("\n"),
  REVISIONS,
);
const kit = (id: string, file = "packages/server-kit/test/a.test.ts") => ({ id, file });
const sound: Ledger = { rows, reasons: [["ABC-02", REASON]], mentions: [kit("ABC-01")] };

test("has a test or a written reason for every MUST and SHOULD of the specification", () => {
  const ledger = readLedger();
  console.log(proofsOf(ledger, REVISIONS).join("\n"));
  expect(faultsOf(ledger)).toEqual([]);
});

describe("the gate", () => {
  test("passes a correct ledger", () => expect(faultsOf(sound)).toEqual([]));

  test.each<[what: string, change: Partial<Ledger>, fault: string]>([
    ["a row with nothing", { mentions: [] }, "ABC-01 (server MUST) has neither test nor reason: Do it"],
    ["a test for a missing row", { mentions: [kit("ABC-01"), kit("ABC-09", "f")] }, "ABC-09, named in f, does not exist"],
    [
      "a reason for a row that is not there",
      {
        reasons: [
          ["ABC-02", REASON],
          ["ABC-09", REASON],
        ],
      },
      "ABC-09, in the list of reasons, does not exist",
    ],
    [
      "a reason beside a test",
      {
        reasons: [
          ["ABC-02", REASON],
          ["ABC-01", REASON],
        ],
      },
      "ABC-01 has a test (packages/server-kit/test/a.test.ts): take it out of the list of reasons",
    ],
    [
      "a reason twice",
      {
        reasons: [
          ["ABC-02", REASON],
          ["ABC-02", REASON],
        ],
      },
      "ABC-02 stands twice in the list of reasons",
    ],
    ["a reason without content", { reasons: [["ABC-02", "n/a"]] }, "ABC-02: a reason is a sentence"],
    [
      "a client's row in a test of servers",
      { reasons: [], mentions: [kit("ABC-01"), kit("ABC-02")] },
      'ABC-02 asks something of a client; packages/server-kit/test/a.test.ts cannot show it (a case? "case ABC-02")',
    ],
    [
      "a server's row in a test of the client",
      { mentions: [kit("ABC-01"), kit("ABC-01", "packages/client/test/b.test.ts")] },
      'ABC-01 asks something of a server; packages/client/test/b.test.ts cannot show it (a case? "case ABC-01")',
    ],
  ])("%s", (_what, change, fault) => expect(faultsOf({ ...sound, ...change })).toEqual([fault]));

  test.each([
    ["another head", "id\tside\n"],
    ["a cell too few", `${HEAD}\nABC-01\tabc\tserver\tMUST\tall\tDo it`],
    ["an id twice", `${HEAD}\nABC-01\tabc\tserver\tMUST\tall\tDo it\ttry\nABC-01\tabc\tserver\tMUST\tall\tDo it\ttry`],
    ["an id of another form", `${HEAD}\nabc-1\tabc\tserver\tMUST\tall\tDo it\ttry`],
    ["an unknown side", `${HEAD}\nABC-01\tabc\thost\tMUST\tall\tDo it\ttry`],
    ["an unknown level", `${HEAD}\nABC-01\tabc\tserver\tWILL\tall\tDo it\ttry`],
    ["an unknown revision", `${HEAD}\nABC-01\tabc\tserver\tMUST\t2025-06-19\tDo it\ttry`],
    ["no sentence", `${HEAD}\nABC-01\tabc\tserver\tMUST\tall\t\ttry`],
  ])("refuses a list of requirements with %s", (_what, tsv) => expect(() => parseRows(tsv, REVISIONS)).toThrow("requirements: "));
});

describe("ids in a test", () => {
  const prefixes = new Set(["HTTP", "SSE-LEGACY"]);

  test.each([
    ["HTTP-05 and SSE-LEGACY-01: both", ["HTTP-05", "SSE-LEGACY-01"]],
    ["HTTP-05, HTTP-05", ["HTTP-05"]],
    ["case HTTP-05 HTTP-06 case HTTP-07", ["HTTP-06"]],
    ["PATH-01 HTTP-5 HTTP-123 XHTTP-05 HTTP-05b LEGACY-01 A-HTTP-05 http-05", []],
  ])("%s", (text, ids) => expect(idsIn(text, prefixes)).toEqual(ids));

  test("are read from strings, templates, tables and the prose before a conversation, not from comments", () => {
    const source = '// HTTP-01\ntest("HTTP-02", () => 0);\ntest.each([["HTTP-03"]])(`HTTP-04 ${1} HTTP-05`, () => "HTTP-06");';
    const talk = '# HTTP-07: first\n# HTTP-08\n→ {"method":"HTTP-09"}\n# HTTP-10\n';
    expect(
      mentionsIn({ "a.test.ts": source, "b.mcp": talk }, prefixes)
        .map(({ id, file }) => `${file} ${id}`)
        .sort(),
    ).toEqual([
      ...["02", "03", "04", "05", "06"].map((number) => `a.test.ts HTTP-${number}`),
      ...["07", "08"].map((number) => `b.mcp HTTP-${number}`),
    ]);
  });
});

test("names a file that does not parse", () => {
  expect(() => mentionsIn({ "a.test.ts": 'test("HTTP-01", () => {' }, new Set(["HTTP"]))).toThrow("a.test.ts cannot be read");
});

test("reads lists without comments and empty lines; ids may share a sentence", () => {
  expect(parseNotes("# why\n\nABC-01 ABC-02\tBoth are so.\nX-Y-03\n")).toEqual([
    ["ABC-01", "Both are so."],
    ["ABC-02", "Both are so."],
    ["X-Y-03", ""],
  ]);
});

test("counts rows in all of their revisions, without a MAY", () => {
  expect(proofsOf(sound, REVISIONS.slice(3))).toEqual(["2025-11-25: 1 of 2 proved", "2026-07-28: 1 of 1 proved"]);
  expect([...statesOf(sound).values()]).toEqual(["proved", "reasoned"]);
});
