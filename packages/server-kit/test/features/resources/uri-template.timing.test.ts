// What near misses of long addresses cost.
import { describe, expect, test } from "vitest";
import { uriTemplate } from "../../../src/features/resources/uri-template.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

describe("KIT-01 refuses near misses of 100 KB at low cost", () => {
  const many = Array.from({ length: 16 }, (_, at) => `{v${at}}`).join("a");
  test.each([
    ["one segment", "x://{a}/b", `x://${"a".repeat(100_000)}`],
    ["sixteen variables with one literal", many, "a".repeat(100_000)],
    ["sixteen variables, no literal in sight", many, "b".repeat(100_000)],
    ["a literal that almost repeats", "x:{a}aaaaaaaaab{b}!", `x:${"a".repeat(100_000)}`],
    ["percent signs", "x:{a}/{b}", `x:${"%41".repeat(33_000)}`],
    ["slashes", "x:{a}/{b}/end", `x:${"/".repeat(100_000)}`],
  ])("%s", (_title, source, uri) => {
    const { match } = uriTemplate(source);
    const started = cpuMs();
    expect(match(uri)).toBeUndefined();
    expect(cpuMs() - started).toBeLessThan(50);
  });
});
