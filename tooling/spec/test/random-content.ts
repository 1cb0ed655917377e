// Random content, encoded for every revision and validated by its published schema.
import { REVISIONS, findRevision, type Revision } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import {
  blocks,
  contents,
  fc,
  forms,
  prompts,
  resources,
  sampleRequests,
  templates,
  tools,
} from "../../../packages/server-kit/test/support/arbitrary.ts";
import { judge } from "./messages.ts";
import { published } from "./schemas.ts";

type Json = Record<string, unknown>;

const [NEWEST = "", ...STATEFUL] = REVISIONS;
const known = (id: string): Revision => findRevision(id)!;

/** Registers the tests, with so many values for each property. */
export function testRandomContent(numRuns: number): void {
  const outgoing = (revision: string, method: string, params: Json): void => {
    const message = { jsonrpc: "2.0", id: 1, method, params: known(revision).encodeParams(method, params) };
    expect(judge(published(revision), message, () => undefined)).toBeUndefined();
  };

  describe.each(STATEFUL)("random content in %s", (revision) => {
    const result = (method: string, name: string, value: Json): void => {
      expect(published(revision).faults(name, known(revision).encodeResult(method, value))).toBeUndefined();
    };
    const lists: [string, string, fc.Arbitrary<Json>][] = [
      ["tools/list", "ListToolsResult", fc.array(tools).map((list) => ({ tools: list }))],
      ["tools/call", "CallToolResult", fc.array(blocks).map((content) => ({ content, structuredContent: { a: 1 } }))],
      ["tools/call", "CallToolResult", fc.jsonValue().map((structuredContent) => ({ content: [], structuredContent }))],
      ["resources/list", "ListResourcesResult", fc.array(resources).map((list) => ({ resources: list }))],
      ["resources/templates/list", "ListResourceTemplatesResult", fc.array(templates).map((list) => ({ resourceTemplates: list }))],
      ["resources/read", "ReadResourceResult", fc.array(contents).map((list) => ({ contents: list }))],
      ["prompts/list", "ListPromptsResult", fc.array(prompts).map((list) => ({ prompts: list }))],
      ["prompts/get", "GetPromptResult", fc.array(blocks).map((all) => ({ messages: all.map((content) => ({ role: "user", content })) }))],
    ];
    test.each(lists)("%s: %s", (method, name, values) => {
      fc.assert(
        fc.property(values, (value) => result(method, name, value)),
        { numRuns },
      );
    });

    test("SAMP-08 SAMP-10 SAMP-11 SAMP-12 random sampling requests", () => {
      const plain =
        revision >= "2025-11-25" ? sampleRequests : sampleRequests.map(({ tools: _tools, toolChoice: _choice, ...rest }) => rest);
      fc.assert(
        fc.property(plain, (params) => outgoing(revision, "sampling/createMessage", params)),
        { numRuns },
      );
    });
  });

  test.each(STATEFUL.filter((revision) => revision >= "2025-06-18"))(
    "ELIC-08 ELIC-09 ELIC-10 ELIC-11 ELIC-13 random elicitations in %s",
    (revision) => {
      const several = revision >= "2025-11-25";
      fc.assert(
        fc.property(forms(several), (requestedSchema) => {
          outgoing(revision, "elicitation/create", { mode: "form", message: "m", requestedSchema });
        }),
        { numRuns },
      );
      if (several) outgoing(revision, "elicitation/create", { mode: "url", message: "m", url: "https://sample.example/" });
    },
  );

  test.each<[string, fc.Arbitrary<Json>]>([
    ["Tool", tools],
    ["ContentBlock", blocks],
    ["Resource", resources],
    ["ResourceTemplate", templates],
    ["Prompt", prompts],
    ["CreateMessageRequestParams", sampleRequests],
  ])("the kit's own vocabulary is that of the newest revision: %s", (name, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(published(NEWEST).faults(name, value)).toBeUndefined();
      }),
      { numRuns },
    );
  });
}
