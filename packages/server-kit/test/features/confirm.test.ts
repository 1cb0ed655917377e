// A yes-or-no question to the user.
import { describe, expect, test } from "vitest";
import { confirm } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { askedBy, first, words } from "../support/asking.ts";

const call = (client: ReturnType<typeof askedBy>, inputResponses: Json, requestState: unknown): Promise<Json> =>
  client.result("tools/call", { name: "one", arguments: {}, inputResponses, requestState });

describe("confirm", () => {
  test("asks by a form with one flag", async () => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Delete a.txt?")));
    const { inputRequests } = await first(client);
    expect(inputRequests).toEqual({
      "elicit-1": {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Delete a.txt?",
          requestedSchema: {
            type: "object",
            properties: { confirm: { type: "boolean", default: false, description: "Yes, go on" } },
          },
        },
      },
    });
  });

  test.each([
    [{ action: "accept", content: { confirm: true } }, "true"],
    [{ action: "accept", content: { confirm: false } }, "false"],
    [{ action: "accept", content: {} }, "false"],
    [{ action: "decline" }, "false"],
    [{ action: "cancel" }, "false"],
  ])("returns for the answer %j: %s", async (answer, expected) => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Go on?")));
    const { requestState } = await first(client);
    expect(await call(client, { "elicit-1": answer }, requestState)).toEqual(words(expected));
  });

  test("throws on a flag of another type", async () => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Go on?")));
    const { requestState } = await first(client);
    const answer = await call(client, { "elicit-1": { action: "accept", content: { confirm: "yes" } } }, requestState);
    expect(answer).toMatchObject({ isError: true });
  });
});
