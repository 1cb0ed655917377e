// How the time of patterns grows (security case KIT-07): known ones, those of zod, and random ones against the engine itself.
import { createContext, Script } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "../../src/features/pattern-cost.ts";
import { ZOD_TEXTS } from "../fixtures/zod-texts.ts";

const WORD = "[a-z0-9]+";
const SEMVER_PART = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";

describe("KIT-07 grows as the text does", () => {
  test.each([
    "",
    "a",
    "^a*$",
    "^(a|b)*$",
    ".*",
    "[^x]+",
    "^foo.*bar",
    "^foo.*",
    `^${WORD}(?:-${WORD})*$`,
    "^[a-z]+([A-Z][a-z]+)*$",
    '^(?:[^"\\\\]|\\\\.)*$',
    "^\\s*[a-z]+\\s*(,\\s*[a-z]+\\s*)*$",
    "^[0-9a-f]{40}(?:,[0-9a-f]{40})*$",
    "^(?:[0-9a-f]{40},?)*$",
    "^(?:[0-9a-f]{2}:){15}[0-9a-f]{2}$",
    "^(?:[a-z]{1,63}\\.){1,8}$",
    "^(?:\\d{3}-?){12}$",
    `^${SEMVER_PART}(?:\\.${SEMVER_PART})*$`,
    "^(?!.*\\.\\.)[a-z.]+$",
    "^(\\p{Script=Greek}+-)+$",
    "^(?:Ж+é)*$",
    "^[\\s\\S]*-[\\s\\S]*$",
    "^a*(?:(?=x))*b",
    "(this cannot be compiled",
  ])("%s", (pattern) => expect(costOf(pattern)).toBe(1));

  test.each(ZOD_TEXTS)("as all texts of zod do: $name", ({ pattern }) => expect(costOf(pattern)).toBe(1));
});

test.each<[number, string]>([
  [2, "\\s+$"],
  [2, "^\\s+|\\s+$"],
  [2, "^a*a*$"],
  [2, "foo.*bar"],
  [2, "^.*foo.*bar$"],
  [2, "^https?://.+\\..+$"],
  [2, "^(.*)\\1$"],
  [2, "^(?:(?=.*x)a)*$"],
  [2, "(?<=a*)b"],
  [2, "^(?:a*a*b|c*c*d)$"],
  [2, "^(?:b|[^a]*){1,2}$"],
  [3, "^a*a*a*b"],
  [3, "^(['\"]).*\\1[\\s\\S]*x"],
  [3, "^(?:b|[^a]*){1,3}$"],
  [3, "^[a-z]{0,63}[a-z]{0,63}[a-z]{0,63}$"],
])("KIT-07 grows with a power of %i: %s", (power, pattern) => expect(costOf(pattern)).toBe(power));

test.each([
  "(a+)+$",
  "^(a*)*$",
  "^(a|a)*$",
  "^(a|aa)*$",
  "^(?:a|b|ab)*c",
  "^([a-z]+-?)+$",
  "^(?:(?:a?|b?)c)*$",
  "^(?:\\s*,\\s*)*$",
  "^\\w+([.-]?\\w+)*@\\w+([.-]?\\w+)*(\\.\\w{2,3})+$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "^(x+x+)+y$",
  "^(a?){30}a{30}$",
  "^(?:a|a){30}$",
  "^((a|a){9}){9}$",
  "^(?:a{0,100}){0,100}$",
  "^(?=(a+)+$)",
  "^(?!(?:a|a)+$)",
  "^(\\u0416+)+$",
  "^(\\p{Script=Greek}+)+$",
  "^(?<word>\\w+\\s?)+$",
])("KIT-07 doubles with each character: %s", (pattern) => expect(costOf(pattern)).toBe(Infinity));

test("KIT-07 a pattern too large to judge counts as bad, and soon", () => {
  const started = performance.now();
  const words = Array.from({ length: 1000 }, (_, at) => `w${at}`).join("|");
  expect(costOf(`^(?:${words})$`)).toBe(1);
  expect(costOf(`^(?:(?:${words})?(?:${words})?)*$`)).toBe(Infinity);
  expect(performance.now() - started).toBeLessThan(5000);
});

test("KIT-07 random patterns that pass keep their promise", () => {
  const atom = fc.constantFrom("a", "b", "[ab]", ".", "[^a]", "\\w", "ab");
  const times = fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,3}", "{0,20}", "{30}");
  const { piece } = fc.letrec<{ piece: string }>((tie) => ({
    piece: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.tuple(atom, times).map((parts) => parts.join("")),
      fc.tuple(tie("piece"), tie("piece")).map((parts) => parts.join("")),
      fc.tuple(tie("piece"), tie("piece")).map((parts) => `(?:${parts.join("|")})`),
      fc.tuple(tie("piece"), times).map(([part, often]) => `(?:${part})${often}`),
      tie("piece").map((part) => `(?=${part})`),
    ),
  }));
  const pattern = fc.tuple(fc.constantFrom("^", "^", ""), piece, fc.constantFrom("$", "$", "")).map((parts) => parts.join(""));
  const hostile = ["a", "b", "ab", "aab", "abb", "bc", "\n"].flatMap((part) => ["", "c\n!", "b", "a"].map((end) => [part, end] as const));
  // The engine stops at a time limit there, so a wrong promise fails instead of hanging.
  const context = createContext({ tried: /x/, text: "" });
  const trial = new Script("tried.test(text)");
  fc.assert(
    fc.property(pattern, (source) => {
      const cost = costOf(source);
      expect(cost).toBeGreaterThanOrEqual(1);
      if (cost > 1) return;
      context["tried"] = new RegExp(source, "u");
      for (const [part, end] of hostile) {
        context["text"] = part.repeat(15_000 / part.length) + end;
        trial.runInContext(context, { timeout: 1000 });
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);
