// subscriptions/listen over HTTP: what is acknowledged, and which news come on which stream.
import { afterEach, beforeEach, expect, test } from "vitest";
import { prompt, tool, type ServerSpec } from "../../../../src/index.ts";
import type { Json } from "../../../../src/protocol.ts";
import type { Answer } from "../../../support/answer.ts";
import { eventually } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { SUBSCRIPTION_ID, type As } from "../../../support/stateless-message.ts";
import { BOARD, DESK, PLAIN, SHELF, stockShop, type Shop } from "../../../support/stateless-shop.ts";

const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** A notification of the subscription with this id. */
const news = (id: unknown, method: string, params: Json = {}): Json => ({
  jsonrpc: "2.0",
  method: `notifications/${method}`,
  params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } },
});
const ack = (id: unknown, notifications: Json): Json => news(id, "subscriptions/acknowledged", { notifications });

overBoth("subscriptions/listen", (face) => {
  let shop: Shop;
  let place: Place;
  const open = async (spec?: Partial<ServerSpec>): Promise<void> => {
    shop = stockShop(spec);
    place = await face.open(shop.server);
  };
  beforeEach(() => open());
  afterEach(() => place.stop());

  const listen = (notifications: Json, as: As = {}): Promise<Answer> => place.request("subscriptions/listen", { notifications }, as);

  /** Triggers each kind of change once. */
  const change = (name: string): void => {
    shop.server.tools.add(tool({ name, run: () => "" }));
    shop.server.prompts.add(prompt({ name, get: () => "" }));
    shop.server.resources.remove(PLAIN);
    for (const uri of [BOARD, DESK, SHELF]) shop.touch(uri);
  };

  test.each<[what: string, asked: Json, honoured: Json]>([
    ["everything", { ...ALL, resourceSubscriptions: [BOARD, SHELF] }, { ...ALL, resourceSubscriptions: [BOARD, SHELF] }],
    ["nothing", {}, {}],
    ["one kind", { promptsListChanged: true }, { promptsListChanged: true }],
    ["false is not wanted", { toolsListChanged: false, promptsListChanged: true }, { promptsListChanged: true }],
    ["unknown kinds", { toolsListChanged: true, moonChanged: true, taskIds: ["1"] }, { toolsListChanged: true }],
    [
      "what cannot be watched, or is not there",
      { resourceSubscriptions: [PLAIN, "shop://nowhere", DESK, "nonsense"] },
      { resourceSubscriptions: [DESK] },
    ],
    ["only what cannot be watched", { resourceSubscriptions: [PLAIN] }, {}],
    ["an address twice", { resourceSubscriptions: [DESK, DESK] }, { resourceSubscriptions: [DESK] }],
    ["no addresses", { resourceSubscriptions: [] }, {}],
  ])("SUB-08 SUB-09 SUB-10 HTTP-15 lists in the first message what it will notify: %s", async (_what, asked, honoured) => {
    const answer = await listen(asked, { id: "sub" });
    expect([answer.status, answer.type, answer.headers["x-accel-buffering"]]).toEqual([200, "text/event-stream", "no"]);
    expect(await answer.message()).toEqual(ack("sub", honoured));
    expect(place.counts()).toMatchObject({ streams: 1, sessions: 0 });
    answer.drop();
  });

  test.each<[what: string, spec: Partial<ServerSpec>, honoured: Json]>([
    ["tools only", { resources: undefined, prompts: undefined } as never, { toolsListChanged: true }],
    ["prompts only", { tools: undefined, resources: undefined } as never, { promptsListChanged: true }],
    ["resources without a watch", { tools: undefined, prompts: undefined, resources: [] } as never, { resourcesListChanged: true }],
    ["nothing at all", { tools: undefined, prompts: undefined, resources: undefined } as never, {}],
  ])("SUB-09 leaves missing features of the server out of the acknowledgement: %s", async (_what, spec, honoured) => {
    await place.stop();
    await open(spec);
    const answer = await listen({ ...ALL, resourceSubscriptions: [BOARD] });
    expect(await answer.message()).toEqual(ack(1, honoured));
    answer.drop();
  });

  test.each<[what: string, asked: Json, expected: Json[]]>([
    ["tools", { toolsListChanged: true }, [news(7, "tools/list_changed")]],
    ["prompts", { promptsListChanged: true }, [news(7, "prompts/list_changed")]],
    ["resources", { resourcesListChanged: true }, [news(7, "resources/list_changed")]],
    ["one address", { resourceSubscriptions: [DESK] }, [news(7, "resources/updated", { uri: DESK })]],
    ["an address of a template", { resourceSubscriptions: [SHELF] }, [news(7, "resources/updated", { uri: SHELF })]],
    [
      "all four kinds",
      { ...ALL, resourceSubscriptions: [BOARD] },
      [
        news(7, "tools/list_changed"),
        news(7, "prompts/list_changed"),
        news(7, "resources/list_changed"),
        news(7, "resources/updated", { uri: BOARD }),
      ],
    ],
    ["nothing", {}, []],
  ])("SUB-07 SUB-10 SUB-18 sends only requested notifications: %s", async (_what, asked, expected) => {
    const answer = await listen(asked, { id: 7 });
    const probe = await listen({ toolsListChanged: true }, { id: "probe" });
    for (const one of [answer, probe]) expect(await one.message()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    change("new");
    for (const one of expected) expect(await answer.message()).toEqual(one);
    expect(await probe.message()).toEqual(news("probe", "tools/list_changed"));
    change("later");
    expect(await probe.message()).toEqual(news("probe", "tools/list_changed"));
    // What came for the second change is of the same kinds.
    expect(answer.waiting.every(({ data }) => expected.some((one) => data === JSON.stringify(one)))).toBe(true);
    answer.drop();
    probe.drop();
  });

  test.each([0, -5, 1, "1", "", "a long name \u{1f600}"])("SUB-10 tags with the id of the request, of the same type: %j", async (id) => {
    const answer = await listen({ toolsListChanged: true }, { id });
    change("new");
    expect([await answer.message(), await answer.message()]).toEqual([ack(id, { toolsListChanged: true }), news(id, "tools/list_changed")]);
    answer.drop();
  });

  test("SUB-08 SUB-10 sends concurrent subscriptions with the same id their own acknowledgement and notifications", async () => {
    const filters: Json[] = [
      { toolsListChanged: true },
      { promptsListChanged: true },
      { resourceSubscriptions: [BOARD] },
      { resourceSubscriptions: [BOARD, DESK] },
    ];
    const answers = await Promise.all(filters.map((filter) => listen(filter)));
    for (const [at, answer] of answers.entries()) expect(await answer.message()).toEqual(ack(1, filters[at] ?? {}));
    expect([place.counts().streams, shop.watchers()]).toEqual([4, 2]);
    change("new");
    const expected = [["tools/list_changed"], ["prompts/list_changed"], ["resources/updated"], ["resources/updated", "resources/updated"]];
    for (const [at, answer] of answers.entries()) {
      for (const method of expected[at] ?? []) expect(await answer.message()).toMatchObject({ method: `notifications/${method}` });
      expect(answer.waiting).toEqual([]);
      answer.drop();
    }
    await eventually(() => [place.counts().streams, shop.watchers()]).toEqual([0, 0]);
  });

  test("SUB-08 SUB-17 PROG-13 LOG-12 carries neither progress nor log messages", async () => {
    const answer = await listen(
      { toolsListChanged: true, resourceSubscriptions: [BOARD] },
      { id: "sub", logLevel: "debug", progressToken: "p" },
    );
    expect(await answer.message()).toEqual(ack("sub", { toolsListChanged: true, resourceSubscriptions: [BOARD] }));
    const chatty = await place.call("chatty", {}, { logLevel: "debug", progressToken: "p" });
    expect((await chatty.messages()).length).toBeGreaterThan(3);
    change("new");
    expect(await answer.message()).toEqual(news("sub", "tools/list_changed"));
    expect(await answer.message()).toEqual(news("sub", "resources/updated", { uri: BOARD }));
    expect(answer.raw).not.toMatch(/notifications\/(progress|message)/);
    answer.drop();
  });

  test.each<[what: string, params: Json]>([
    ["no filter", {}],
    ["a filter that is a list", { notifications: [] }],
    ["a filter that is null", { notifications: null }],
    ["a kind that is not a boolean", { notifications: { toolsListChanged: 1 } }],
    ["addresses that are not an array", { notifications: { resourceSubscriptions: BOARD } }],
    ["an address that is not a string", { notifications: { resourceSubscriptions: [1] } }],
    ["too many addresses", { notifications: { resourceSubscriptions: Array.from({ length: 1001 }, (_, at) => `shop://${at}`) } }],
  ])("ERR-04 answers a filter of a wrong shape with -32602, and watches nothing: %s", async (_what, params) => {
    const answer = await place.request("subscriptions/listen", params);
    expect([answer.status, answer.type, await answer.json()]).toMatchObject([200, "application/json", { id: 1, error: { code: -32602 } }]);
    expect([place.counts().streams, shop.watchers()]).toEqual([0, 0]);
  });
});
