// Who may be asked what, and how a refusal says so.
import { describe, expect, test, vi } from "vitest";
import { supports, missingCapability, type RequestFacts, type RequiredAbility } from "../../src/requests/client-request.ts";
import { liveRequester } from "../../src/requests/live-requester.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

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
  ])("%s", (_title, capabilities, facts, needs) => {
    expect(NEEDS.filter((need) => supports(capabilities, facts, need))).toEqual(needs);
  });
});

test("a refusal names the capability that is missing", () => {
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

describe("a live question", () => {
  const asker = (capabilities: object) => {
    const request = vi.fn<(ask: object) => Promise<Json>>(async () => ({ answer: 1 }));
    const send = vi.fn<(text: string) => void>();
    const outgoing = (_method: string, params: Json): Json => ({ ...params, older: true });
    return {
      request,
      send,
      asker: liveRequester({ requests: { request }, revision: { facts: ALL, encodeParams: outgoing }, capabilities, send, timeoutMs: 5 }),
    };
  };
  const { signal } = new AbortController();

  test("goes out in the words of the revision, on the way of the request that asks", async () => {
    const { asker: one, request, send } = asker({ sampling: {} });
    expect(await one.requestFromClient({ method: "sampling/createMessage", params: { a: 1 }, requires: "sample" }, signal)).toEqual({
      answer: 1,
    });
    expect(request).toHaveBeenCalledExactlyOnceWith({
      method: "sampling/createMessage",
      params: { a: 1, older: true },
      send,
      timeoutMs: 5,
      signal,
    });
  });

  test("roots/list has no params", async () => {
    const { asker: one, request } = asker({ roots: {} });
    await one.requestFromClient({ method: "roots/list", params: {}, requires: "roots" }, signal);
    expect(request.mock.calls[0]![0]).not.toHaveProperty("params");
  });

  test("SAMP-03 ELIC-03 is not sent to a client that did not declare it", async () => {
    const { asker: one, request } = asker({});
    await expect(one.requestFromClient({ method: "sampling/createMessage", params: {}, requires: "sample" }, signal)).rejects.toMatchObject(
      {
        kind: "capability",
      },
    );
    expect(request).not.toHaveBeenCalled();
  });
});
