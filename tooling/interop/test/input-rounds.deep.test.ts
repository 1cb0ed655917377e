// A server that sends several client requests in one call: sampling, elicitation, and both at once.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Program } from "./support/built-server.ts";
import { everyClient, type Fits } from "./support/every-client.ts";
import { textOf, type Handlers } from "./support/official-client.ts";

/** On the built kit. */
const ROUNDS: Program = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../../packages/server-kit/test/fixtures/rounds-cli.ts", import.meta.url))],
};

/** How an answer comes to a question is the business of revisions and of HTTP; pipes add nothing to it. */
const whereItMatters: Fits = ({ era }, over) => over !== "stdio" || era === "stateless";

/** A model that says how many words it was asked for, and a person who gives words in order. */
function answering(asked: string[]): Handlers {
  return {
    sample(messages) {
      const [, text = ""] = /"text":"([^"]*)"/.exec(messages) ?? [];
      asked.push(text);
      return `<${text}>`;
    },
    elicit({ message }) {
      asked.push(message);
      return { action: "accept", content: { word: message.split(/\W/, 1)[0]!.toLowerCase() } };
    },
  };
}

everyClient(
  "SAMP-01 SAMP-02 MRTR-19 three sampling requests, two of them at once",
  async ({ connect }) => {
    const asked: string[] = [];
    const client = await connect({ program: ROUNDS, sample: answering(asked).sample! });
    const { content, isError } = await client.call("think");
    expect([isError ?? false, textOf(content)]).toEqual([false, "<first> <second, after <first>> <third> <fourth>"]);
    expect(asked).toEqual(["first", "second, after <first>", "third", "fourth"]);
  },
  whereItMatters,
);

everyClient(
  "ELIC-08 MRTR-05 MRTR-19 two elicitations, then one together with sampling; in a prompt as well",
  async ({ connect }) => {
    const asked: string[] = [];
    const client = await connect({ program: ROUNDS, ...answering(asked) });
    const questions = ["Who brings cake?", "When, who?", "Where?", "how"];
    expect(textOf((await client.call("plan", { what: "cake" })).content)).toBe("cake who when where <how>");
    expect(asked.slice(0, 2)).toEqual(questions.slice(0, 2));
    expect(asked.slice(2).toSorted()).toEqual(["Where?", "how"]);
    const [message] = await client.prompt("plan", { what: "cake" });
    expect(message?.content).toEqual({ type: "text", text: "cake who when where <how>" });
    expect(asked).toHaveLength(8);
  },
  (facts, over) => facts.elicit && whereItMatters(facts, over),
);
