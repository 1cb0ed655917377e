// What a client carries from round to round: it opens for the same request of the same caller, for a while, and for nothing else.
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServeHttpOptions } from "../../../../src/node.ts";
import type { Json } from "../../../../src/protocol.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { ADA, cup, KEYS, RED, replyText, retry, Rounds } from "../../../support/stateless-rounds.ts";
import { PLAIN, stockShop, type Shop } from "../../../support/stateless-shop.ts";
import { principals } from "../../../support/workshop.ts";

overBoth("the state of a round", (face) => {
  let shop: Shop;
  let place: Place;
  const open = async (options?: ServeHttpOptions): Promise<void> => {
    shop = stockShop();
    place = await face.open(shop.server, options);
  };
  afterEach(() => place.stop());

  const TWO = { auth: principals({ a: "alice", a2: "alice", b: "bob" }) };

  test("MRTR-15 refuses a state with any changed character", async () => {
    await open();
    const rounds = cup();
    const wanted = await rounds.asks(place);
    const { requestState } = wanted;
    for (let at = 0; at < requestState.length; at += 3) {
      const changed = requestState.slice(0, at) + (requestState[at] === "A" ? "B" : "A") + requestState.slice(at + 1);
      expect.soft(await rounds.refused(place, retry({ requestState: changed })), String(at)).toBe(-32602);
    }
    await rounds.asks(place, retry(wanted));
  });

  test.each<[what: string, change: (state: string) => unknown]>([
    ["null", () => null],
    ["a number", () => 1],
    ["an object", () => ({})],
    ["empty", () => ""],
    ["cut short", (state) => state.slice(0, -1)],
    ["only its beginning", (state) => state.slice(0, 20)],
    ["and more", (state) => `${state}A`],
    ["padded", (state) => `${state}==`],
    ["with a blank", (state) => ` ${state}`],
    ["in other case", (state) => state.toUpperCase()],
    ["twice", (state) => state + state],
    ["plain JSON", () => JSON.stringify([Date.now() + 1e9, [], [["elicit-1", { request: "", response: {} }]], []])],
    ["plain JSON in base64", () => btoa(JSON.stringify([Date.now() + 1e9, [], [], []]))],
    ["a megabyte", () => "A".repeat(1e6)],
    ["letters beyond ASCII", () => "ä".repeat(100)],
  ])("MRTR-15 refuses with -32602 without running the handler: %s", async (_what, change) => {
    await open();
    const rounds = cup();
    const { requestState } = await rounds.asks(place);
    shop.ran.length = 0;
    expect(await rounds.refused(place, { requestState: change(requestState), inputResponses: ADA })).toBe(-32602);
    expect(shop.ran).toEqual([]);
  });

  test.each<[what: string, other: [method: string, params: Json]]>([
    ["other arguments", ["tools/call", { name: "in-turn", arguments: { what: "mug" } }]],
    ["no arguments", ["tools/call", { name: "in-turn" }]],
    ["more arguments", ["tools/call", { name: "in-turn", arguments: { what: "cup", more: 1 } }]],
    ["another tool", ["tools/call", { name: "in-parallel", arguments: { what: "cup" } }]],
    ["another method", ["prompts/get", { name: "greet" }]],
    ["another resource", ["resources/read", { uri: PLAIN }]],
    ["another member of params", ["tools/call", { name: "in-turn", arguments: { what: "cup" }, task: {} }]],
  ])("MRTR-16 refuses a state for another request: %s", async (_what, other) => {
    await open();
    const wanted = await cup().asks(place);
    expect(await new Rounds(...other).refused(place, retry(wanted))).toBe(-32602);
  });

  test("MRTR-16 ignores differences without a meaning: order of members, id, progress token, client", async () => {
    await open();
    const wanted = await new Rounds("tools/call", { name: "in-turn", arguments: { what: "cup" } }).asks(place);
    const turned = new Rounds("tools/call", { arguments: { what: "cup" }, name: "in-turn" });
    const meta = { "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" }, traceparent: "x" };
    await turned.asks(place, retry(wanted), { id: "another", meta, logLevel: "debug" });
  });

  describe("of another caller", () => {
    test("KIT-15 SESS-16 SESS-18 MRTR-16 is refused like an unknown one, and its owner continues", async () => {
      await open(TWO);
      const rounds = cup({ token: "a" });
      const wanted = await rounds.asks(place);
      const words = async (state: string): Promise<unknown> =>
        (await (await rounds.send(place, retry({ requestState: state }), { token: "b" })).json()).error;
      const guessed = Buffer.from(crypto.getRandomValues(new Uint8Array(100))).toString("base64url");
      expect(await words(wanted.requestState)).toEqual(await words(guessed));
      expect(await words(wanted.requestState)).toMatchObject({ code: -32602 });
      for (const token of ["nobody", undefined])
        expect((await rounds.send(place, retry(wanted), { token: token as string })).status).toBe(401);
      const second = await rounds.asks(place, retry(wanted), { token: "a2" }); // another token of the same principal
      expect(await rounds.refused(place, retry(second, RED), { token: "b" })).toBe(-32602);
      expect(replyText(await rounds.ends(place, retry(second, RED)))).toBe("a red cup for Ada");
    });

    test("SESS-18 is refused with a token when it was made without one", async () => {
      shop = stockShop();
      await using unguarded = await face.open(shop.server, { stateKeys: KEYS });
      const wanted = await cup().asks(unguarded);
      await open({ ...TWO, stateKeys: KEYS });
      expect(await cup({ token: "a" }).refused(place, retry(wanted))).toBe(-32602);
    });
  });

  test("SESS-17 MRTR-16 expires", async () => {
    await open();
    const rounds = cup();
    const wanted = await rounds.asks(place);
    await rounds.asks(place, retry(wanted));
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1);
    onTestFinished(() => void vi.useRealTimers());
    expect(await rounds.refused(place, retry(wanted))).toBe(-32602);
  });

  test("SESS-17 is different each time and does not reveal its content", async () => {
    await open();
    const states = await Promise.all(Array.from({ length: 200 }, async () => (await cup().asks(place)).requestState));
    expect(new Set(states).size).toBe(200);
    // The first four bytes name the key; from there on each place takes about every letter.
    const from = 6;
    for (const at of [from, from + 5, 30, 60, 90]) expect(new Set(states.map((state) => state[at])).size).toBeGreaterThan(50);
    const second = await cup().asks(place, retry(await cup().asks(place)));
    const bytes = Buffer.from(second.requestState, "base64url").toString("latin1");
    for (const word of ["Ada", "elicit", "cup", "Who"]) expect(bytes).not.toContain(word);
  });

  test("MRTR-23 continues on any server with the same secrets, also after a key rotation, and on no other", async () => {
    await open({ stateKeys: [KEYS[0] ?? ""] });
    const served = (stateKeys?: string[]): Promise<Place> => face.open(stockShop().server, stateKeys && { stateKeys });
    await using sibling = await served([KEYS[0] ?? ""]);
    await using turned = await served(KEYS.toReversed());
    await using other = await served([KEYS[1] ?? ""]);
    await using own = await served();
    const rounds = cup();
    const wanted = await rounds.asks(place);
    for (const stranger of [other, own]) expect(await rounds.refused(stranger, retry(wanted))).toBe(-32602);
    const second = await rounds.asks(turned, retry(wanted));
    expect(await rounds.refused(sibling, retry(second, RED))).toBe(-32602); // sealed with the new one, which the sibling has not yet
    expect(replyText(await rounds.ends(other, retry(second, RED)))).toBe("a red cup for Ada");
    expect(replyText(await rounds.ends(sibling, retry(await rounds.asks(sibling, retry(wanted)), RED)))).toBe("a red cup for Ada");
  });

  test("refuses a secret of fewer than 16 characters at start", async () => {
    await open();
    await expect(face.open(stockShop().server, { stateKeys: ["too short"] })).rejects.toThrow(
      "State key too short: expected at least 16 characters.",
    );
  });
});
