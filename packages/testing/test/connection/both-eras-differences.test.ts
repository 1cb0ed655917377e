// Handlers that differ between the eras, and scripts that do not match: each must be detected.
import { describe, expect, test } from "vitest";
import { accept, decline, type ScriptedReply } from "@oarlock/testing";
import { sure, thought, twice, who, type Run } from "../fixtures/staged.ts";

describe("detects", () => {
  const EFFECTS = /the stateless run repeats effects\. The handler runs again/;
  const ANSWER = /the stateless response differs from the response in a session/;
  const yes = [accept({ sure: true })];
  let runs = 0;

  test.each<[what: string, run: Run, lines: ScriptedReply[], message: RegExp]>([
    [
      "acting before asking",
      async (ctx, done) => {
        done("locked");
        return (await ctx.elicit(sure)).action;
      },
      yes,
      EFFECTS,
    ],
    [
      "acting between two questions",
      async (ctx, done) => {
        await ctx.elicit(sure);
        done("half");
        return (await ctx.elicit(who)).action;
      },
      [...yes, decline],
      EFFECTS,
    ],
    [
      "acting where the unwinding is swallowed",
      async (ctx, done) => {
        const answer = await ctx.elicit(sure).catch(() => (done("gave up"), undefined));
        return answer?.action ?? "none";
      },
      yes,
      EFFECTS,
    ],
    [
      "acting in a finally",
      async (ctx, done) => {
        try {
          return (await ctx.elicit(sure)).action;
        } finally {
          done("closed");
        }
      },
      yes,
      EFFECTS,
    ],
    [
      "acting beside a question",
      async (ctx, done) => {
        const [answer] = await Promise.all([ctx.elicit(sure), (async () => done("meanwhile"))()]);
        return answer.action;
      },
      yes,
      EFFECTS,
    ],
    ["a result that counts its runs", async (ctx) => ((runs += 1), `${(await ctx.elicit(sure)).action} ${runs}`), yes, ANSWER],
    [
      "a question that is another one in each run",
      async (ctx) => (await ctx.elicit({ ...sure, message: `Sure (${++runs})?` })).action,
      yes,
      /the stateless run has a request that the session did not have/,
    ],
    ["a script that is too short", async (ctx) => (await ctx.elicit(sure)).action, [], /Request without a scripted reply/],
    ["a script that is too long", async (ctx) => (await ctx.elicit(sure)).action, [decline, decline], /Scripted replies left over: 1/],
    [
      "a question less in rounds",
      async (ctx) => (ctx.client.can("elicit") && ++runs > 0 && runs < 1e6 ? ((runs = 1e6), (await ctx.elicit(sure)).action) : "unasked"),
      yes,
      /the stateless run lacks requests that the session had/,
    ],
  ])("%s", async (_what, run, lines, message) => {
    runs = 0;
    await expect(twice(run, lines)).rejects.toThrow(message);
  });

  test("reports an error as an answer, which rounds cannot express", async () => {
    const failing: ScriptedReply = () => Promise.reject(new Error("no model today"));
    await expect(twice(async (ctx) => JSON.stringify(await ctx.sample(thought)), [failing])).rejects.toThrow(
      /a stateless client can only accept, decline or cancel/,
    );
  });
});
