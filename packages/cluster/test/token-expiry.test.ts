// Event streams end when the token expires that opened them; the session stays for a client that has a new one.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MemoryBackplane } from "../src/backplane.ts";
import { cluster } from "../src/index.ts";
import type { Authenticator } from "@oarlock/server-kit/node";
import { HttpTalk, textOf } from "../../server-kit/test/support/http-talk.ts";
import { openLegacy } from "../../server-kit/test/support/legacy-talk.ts";
import { NODE, WEB } from "../../server-kit/test/support/stateless-faces.ts";
import { BOARD as STATELESS_BOARD, stockShop } from "../../server-kit/test/support/stateless-shop.ts";
import { startWorkshop, type Workshop } from "../../server-kit/test/support/workshop.ts";

let expiresAt: number | undefined;
const auth: Authenticator = {
  check: () => ({ principal: "anna", scopes: ["*"], claims: {}, ...(expiresAt !== undefined && { expiresAt }) }),
};
const TOKEN = { authorization: "Bearer t" };
/** More than a round trip, as the opening of a stream has to be seen. */
const soon = (): number => Date.now() + 400;
afterEach(() => void (expiresAt = undefined));

describe.each([
  ["one node", undefined],
  ["several nodes", () => new MemoryBackplane()],
])("with %s", (_title, backplane) => {
  let shop: Workshop;
  beforeEach(async () => {
    const world = backplane?.();
    shop = await startWorkshop({ auth, ...(world !== undefined && { cluster: cluster({ backplane: world }) }) });
  });
  afterEach(() => shop[Symbol.asyncDispose]());

  test("ends the standing stream and the stream of a call, which a new token resumes", async () => {
    using talk = await HttpTalk.open(shop.url, { token: "t" });
    expiresAt = soon();
    const standing = await talk.listen();
    const call = await talk.call("work", { name: "hers" }, { progressToken: 1 });
    const work = await shop.work("hers");
    work.ctx.progress(1);
    const { id } = await call.event();
    await Promise.all([standing.closed, call.closed]);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
    expect(shop.http.counts()).toMatchObject({ sessions: 1, streams: 0 });
    expiresAt = undefined;
    work.done("done");
    const resumed = await talk.listen(id);
    expect(textOf((await resumed.messages()).at(-1))).toBe("done");
  });
});

test("ends the stream of the older transport", async () => {
  await using shop = await startWorkshop({ auth, legacySse: true });
  expiresAt = soon();
  await using talk = await openLegacy(shop.http, TOKEN);
  await talk.stream.closed;
  expect(shop.http.counts()).toMatchObject({ sessions: 0, streams: 0 });
});

test.each([NODE, WEB])("ends a subscription with its watches ($name)", async (face) => {
  const shop = stockShop();
  await using place = await face.open(shop.server, { auth });
  expiresAt = soon();
  const filter = { resourceSubscriptions: [STATELESS_BOARD] };
  const answer = await place.request("subscriptions/listen", { notifications: filter }, { token: "t" });
  expect(await answer.message()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
  expect(shop.watchers()).toBe(1);
  await answer.closed;
  await expect.poll(() => [shop.watchers(), place.counts().streams]).toEqual([0, 0]);
});
