// Questions of the newest era: a request ends with them, and is sent again with the answers, until it is complete.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../../../src/protocol.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { refused, SERVER_INFO } from "../../../support/stateless-message.ts";
import { filled, Rounds, replyText, type Wanted } from "../../../support/stateless-rounds.ts";
import { ASKABLE, PLAIN, stockShop, type Shop } from "../../../support/stateless-shop.ts";

const ADA = filled({ name: "Ada" });
const RED = filled({ colour: "red" });

const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const WHO = { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema: FORM } };

const retry = ({ requestState }: Wanted, inputResponses?: unknown): Json => ({
  requestState,
  ...(inputResponses !== undefined && { inputResponses }),
});

overBoth("rounds", (face) => {
  let shop: Shop;
  let place: Place;
  beforeEach(async () => {
    shop = stockShop();
    place = await face.open(shop.server);
  });
  afterEach(() => place.stop());

  const THREE: [method: string, params: Json, key: string, end: Json][] = [
    [
      "tools/call",
      { name: "in-turn", arguments: { what: "cup" } },
      "elicit-1",
      { inputRequests: { "elicit-2": { method: "elicitation/create" } } },
    ],
    ["prompts/get", { name: "greet" }, "elicit-1", { messages: [{ role: "user", content: { type: "text", text: "Hello Ada" } }] }],
    ["resources/read", { uri: PLAIN }, "elicit-1", { contents: [{ uri: PLAIN, text: "Ada" }] }],
  ];

  test.each(THREE)(
    "MRTR-02 MRTR-03 MRTR-04 MRTR-05 MRTR-07 CACHE-04 META-14 ends %s with its input request, and continues with the answer",
    async (method, params, key, end) => {
      const rounds = new Rounds(method, params);
      const first = await (await rounds.send(place)).json();
      expect(first).toEqual({
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "input_required",
          inputRequests: { [key]: WHO },
          requestState: expect.stringMatching(/^[\w-]{50,}$/),
          _meta: { [SERVER_INFO]: { name: "shop", version: "1.0.0" } },
        },
      });
      const answer = await rounds.send(place, retry(first.result as Wanted, { [key]: ADA }));
      expect([answer.status, await answer.json()]).toMatchObject([200, { id: 2, result: end }]);
    },
  );

  test("MRTR-19 RT-01 takes a round for each of two input requests in sequence, and runs the handler from its start in each", async () => {
    const rounds = new Rounds("tools/call", { name: "in-turn", arguments: { what: "cup" } });
    const first = await rounds.asks(place);
    const second = await rounds.asks(place, retry(first, { "elicit-1": ADA }));
    expect(second.inputRequests).toEqual({
      "elicit-2": {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "What colour, Ada?",
          requestedSchema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
        },
      },
    });
    expect(second.requestState).not.toBe(first.requestState);
    expect(replyText(await rounds.ends(place, retry(second, { "elicit-2": RED })))).toBe("a red cup for Ada");
    expect(shop.ran).toEqual(["in-turn", "in-turn", "in-turn"]);
  });

  test("MRTR-05 MRTR-22 sends concurrent input requests together; repeats the one without a response and keeps the other response", async () => {
    const rounds = new Rounds("tools/call", { name: "in-parallel" });
    const both = await rounds.asks(place);
    expect(both.inputRequests).toMatchObject({ who: WHO, colour: { params: { message: "What colour?" } } });
    expect(replyText(await rounds.ends(place, retry(both, { colour: RED, who: ADA })))).toBe("a red one for Ada");
    const one = await rounds.asks(place, retry(both, { colour: RED }));
    expect(Object.keys(one.inputRequests)).toEqual(["who"]);
    expect(replyText(await rounds.ends(place, retry(one, { who: ADA })))).toBe("a red one for Ada");
    // None at all, however often.
    let none = both;
    for (const responses of [undefined, {}, { other: ADA }]) none = await rounds.asks(place, retry(none, responses));
    expect(none.inputRequests).toEqual(both.inputRequests);
  });

  test("MRTR-04 combines elicitation, sampling and roots in one round, each answered by its plain result", async () => {
    const rounds = new Rounds("tools/call", { name: "everything" }, { capabilities: ASKABLE });
    const wanted = await rounds.asks(place);
    expect(wanted.inputRequests).toEqual({
      "elicit-1": WHO,
      "sample-1": {
        method: "sampling/createMessage",
        params: { messages: [{ role: "user", content: { type: "text", text: "Think" } }], maxTokens: 10 },
      },
      roots: { method: "roots/list" },
    });
    const inputResponses = {
      "elicit-1": ADA,
      "sample-1": { role: "assistant", content: { type: "text", text: "hm" }, model: "m" },
      roots: { roots: [{ uri: "file:///a" }, { uri: "file:///b" }] },
    };
    expect(replyText(await rounds.ends(place, retry(wanted, inputResponses)))).toBe('Ada {"type":"text","text":"hm"} file:///a,file:///b');
  });

  test.each([
    ["decline", { action: "decline" }],
    ["cancel", { action: "cancel" }],
  ])("accepts a refusal: %s", async (action, answer) => {
    const rounds = new Rounds("tools/call", { name: "in-turn" });
    const second = await rounds.asks(place, retry(await rounds.asks(place), { "elicit-1": answer }));
    expect(replyText(await rounds.ends(place, retry(second, { "elicit-2": RED })))).toBe(`a red cup for ${action}`);
  });

  test("MRTR-04 requests a page to open by its URL, without an id of its own", async () => {
    const rounds = new Rounds("tools/call", { name: "page" }, { capabilities: { elicitation: { url: {} } } });
    const wanted = await rounds.asks(place);
    expect(wanted.inputRequests).toEqual({
      "elicit-1": { method: "elicitation/create", params: { mode: "url", message: "Log in", url: "https://login.example/" } },
    });
    expect(replyText(await rounds.ends(place, retry(wanted, { "elicit-1": { action: "accept" } })))).toBe("accept");
  });

  describe("clients without the feature of an input request", () => {
    test.each<[tool: string, capabilities: Json, required: Json]>([
      ["in-turn", {}, { elicitation: { form: {} } }],
      ["in-turn", { elicitation: { url: {} } }, { elicitation: { form: {} } }],
      ["in-turn", { elicitation: null }, { elicitation: { form: {} } }],
      ["in-turn", { elicitation: true }, { elicitation: { form: {} } }],
      ["page", {}, { elicitation: { url: {} } }],
      ["page", { elicitation: {} }, { elicitation: { url: {} } }],
      ["page", { elicitation: { form: {} } }, { elicitation: { url: {} } }],
      ["think", { elicitation: {} }, { sampling: {} }],
      ["folders", { elicitation: {}, sampling: {} }, { roots: {} }],
    ])(
      "MRTR-06 META-12 META-13 ERR-06 are refused %s with %j by -32021, 400 and the missing feature",
      async (name, capabilities, required) => {
        const answer = await new Rounds("tools/call", { name }, { capabilities }).send(place);
        expect([answer.status, answer.type, await answer.json()]).toEqual([
          400,
          "application/json",
          refused(-32021, { requiredCapabilities: required }),
        ]);
      },
    );

    test.each([[{}], [{ form: {} }], [{ form: {}, url: {} }]])("MRTR-06 get forms with elicitation %j", async (elicitation) => {
      expect(
        Object.keys((await new Rounds("tools/call", { name: "in-turn" }, { capabilities: { elicitation } }).asks(place)).inputRequests),
      ).toEqual(["elicit-1"]);
    });

    test("META-11 MRTR-06 are recognized in every round by that request only", async () => {
      const rounds = new Rounds("tools/call", { name: "in-turn" });
      const first = await rounds.asks(place);
      expect(await rounds.refused(place, {}, { capabilities: {} })).toBe(-32021);
      expect(await rounds.refused(place, retry(first, { "elicit-1": ADA }), { capabilities: {} })).toBe(-32021);
      const second = await rounds.asks(place, retry(first, { "elicit-1": ADA }));
      expect(await rounds.refused(place, retry(second, { "elicit-2": RED }), { capabilities: { sampling: {} } })).toBe(-32021);
      await rounds.ends(place, retry(second, { "elicit-2": RED }));
    });

    test("META-12 get the refusal as an event once the stream has started", async () => {
      const answer = await place.call("say-and-ask", {}, { progressToken: "p" });
      expect([answer.status, await answer.messages()]).toMatchObject([200, [{ method: "notifications/progress" }, refused(-32021)]]);
    });
  });

  test.each<[what: string, inputResponses: unknown]>([
    ["null", null],
    ["a list", [ADA]],
    ["a string", "Ada"],
    ["an answer that is a number", { "elicit-1": 12345 }],
    ["an answer that is null", { "elicit-1": null }],
    ["an answer that is a list", { "elicit-1": [ADA] }],
    ["no action", { "elicit-1": { content: { name: "Ada" } } }],
    ["an unknown action", { "elicit-1": { action: "perhaps" } }],
    ["a whole response", { "elicit-1": { jsonrpc: "2.0", id: 1, result: ADA } }],
  ])("MRTR-15 MRTR-20 refuses answers of a wrong shape with -32602: %s", async (_what, inputResponses) => {
    const rounds = new Rounds("tools/call", { name: "in-turn" });
    expect(await rounds.refused(place, retry(await rounds.asks(place), inputResponses))).toBe(-32602);
  });

  test.each<[what: string, content: unknown]>([
    ["another type", { name: 5 }],
    ["nothing in it", {}],
    ["no content", undefined],
    ["no object", "Ada"],
  ])("MRTR-20 reports an answer that does not match the form to the model: %s", async (_what, content) => {
    const rounds = new Rounds("tools/call", { name: "in-turn" });
    const result = await rounds.ends(place, retry(await rounds.asks(place), { "elicit-1": { action: "accept", content } }));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("does not fit the question") }] });
  });

  test("MRTR-21 ignores responses that no input request asked for", async () => {
    const rounds = new Rounds("tools/call", { name: "in-parallel" });
    const more = { who: ADA, colour: RED, other: ADA, "elicit-1": { action: "cancel" }, ["__proto__"]: ADA, constructor: RED };
    expect(replyText(await rounds.ends(place, retry(await rounds.asks(place), more)))).toBe("a red one for Ada");
  });

  test("MRTR-21 MRTR-16 ignores responses without a state", async () => {
    const rounds = new Rounds("tools/call", { name: "in-parallel" });
    const ahead = { inputResponses: { who: ADA, colour: RED } };
    expect(Object.keys((await rounds.asks(place, ahead)).inputRequests)).toEqual(["who", "colour"]);
  });

  test("MRTR-01 ignores responses and states on methods without input requests", async () => {
    for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"]) {
      const result = await place.result(method, { inputResponses: { "elicit-1": ADA } }, { capabilities: ASKABLE });
      expect(result.resultType, method).toBe("complete");
    }
  });

  test("MRTR-18 leaves nothing behind of an abandoned request", async () => {
    for (let time = 0; time < 50; time++) await new Rounds("tools/call", { name: "in-parallel" }).asks(place);
    expect(place.counts()).toMatchObject({ running: 0, streams: 0, sessions: 0 });
  });

  test("MRTR-20 repeats an input request that changed and drops its old response", async () => {
    const rounds = new Rounds("tools/call", { name: "moody" });
    const first = await rounds.asks(place);
    const second = await rounds.asks(place, retry(first, { "elicit-1": ADA }));
    expect([first, second].map(({ inputRequests }) => inputRequests["elicit-1"]?.params?.message)).toEqual(["Who? 1", "Who? 2"]);
  });
});
