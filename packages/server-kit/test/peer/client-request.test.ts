// Which client requests a client supports, and the error for the others.
import { describe, expect, test } from "vitest";
import { supports, missingCapability, type RequestFacts, type RequiredAbility } from "../../src/peer/client-request.ts";

const NEEDS: readonly RequiredAbility[] = ["elicit", "elicit.url", "sample", "sample.tools", "roots"];
const ALL: RequestFacts = { elicit: true, elicitUrl: true, sampleTools: true };

describe("allows", () => {
  const able = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
  test.each([
    ["ELIC-04 an empty object means forms", { elicitation: {} }, ALL, ["elicit"]],
    ["ELIC-06 only what was declared", { elicitation: { url: {} } }, ALL, ["elicit.url"]],
    ["SAMP-13 tools only where declared", { sampling: {} }, ALL, ["sample"]],
    ["everything", able, ALL, NEEDS],
    ["nothing", {}, ALL, []],
    ["ELIC-03 nothing that the revision lacks", able, { elicit: false, elicitUrl: false, sampleTools: false }, ["sample", "roots"]],
  ])("for %s", (_title, capabilities, facts, needs) => {
    expect(NEEDS.filter((need) => supports(capabilities, facts, need))).toEqual(needs);
  });
});

test.each([
  ["declared it", { sampling: { context: {} } }, ALL, true],
  ["did not declare it", { sampling: {} }, ALL, false],
  ["speaks a revision without that capability", { sampling: {} }, { ...ALL, sampleTools: false }, true],
  ["has no sampling", { roots: {} }, { ...ALL, sampleTools: false }, false],
] as const)("SAMP-19 context of other servers for a client that %s", (_title, capabilities, facts, expected) => {
  expect(supports(capabilities, facts, "sample.context")).toBe(expected);
});

test("nothing without a capability, and names the missing one", () => {
  expect(NEEDS.map((need) => missingCapability(need).data)).toEqual(
    [{ elicitation: { form: {} } }, { elicitation: { url: {} } }, { sampling: {} }, { sampling: { tools: {} } }, { roots: {} }].map(
      (requiredCapabilities) => ({
        requiredCapabilities,
      }),
    ),
  );
  const names = ["elicitation", "elicitation by URL", "sampling", "tools in sampling", "roots"];
  expect(NEEDS.map(missingCapability)).toMatchObject(
    names.map((name) => ({ code: -32021, kind: "capability", message: `This tool needs a client that supports ${name}.` })),
  );
});
