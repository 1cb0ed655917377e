/** What a client does next, by its seed: the call, its arguments and the result that it must have. */
import { ROOTS, type ClientKind } from "../clients/load-client.ts";
import { QUESTIONS } from "../fixture/server.ts";
import type { Random } from "../random.ts";
import { LIST_ITEM, type Act } from "../check/records.ts";

export interface Plan {
  readonly act: Act;
  readonly args: Record<string, unknown>;
  expected(call: string): string;
  readonly cancelAfterMs?: number;
  readonly expectedLogs?: number;
  readonly progress?: boolean;
  readonly changes?: string;
}

/** How often each act occurs, out of the sum. */
const WEIGHTS: readonly (readonly [Act, number])[] = [
  ["echo", 25],
  ["steps", 30],
  ["ask", 20],
  ["wait", 10],
  ["job", 8],
  ["touch", 6],
  ["grow", 1],
];

export function planAct(random: Random, kind: ClientKind, item: string): Plan {
  const act = pickAct(random);
  switch (act) {
    case "steps": {
      const count = random.between(2, 8);
      const args = { count, ms: random.between(5, 250) };
      return { act, args, expected: (call) => `${call} took ${count} steps`, expectedLogs: count, progress: random.next() < 0.5 };
    }
    case "ask":
      return planQuestion(random);
    case "wait":
      return { act, args: { ms: 20_000 }, expected: () => "cancelled by the load", cancelAfterMs: random.between(30, 400) };
    case "job": {
      const args = { ms: random.between(10, kind.hasTasks ? 1500 : 200) };
      return { act, args, expected: (call) => `done ${call}` };
    }
    case "touch": {
      const value = String(random.between(1, 1e9));
      return { act, args: { item, value }, expected: () => value, changes: item };
    }
    case "grow":
      return { act, args: {}, expected: () => "grown", changes: LIST_ITEM };
    default: {
      const text = "x".repeat(random.between(1, 2000));
      return { act: "echo", args: { text }, expected: () => text };
    }
  }
}

function planQuestion(random: Random): Plan {
  const kinds = QUESTIONS.filter(() => random.next() < 0.6);
  const answerOf = { elicit: "elicit-", sample: "sample-", roots: ROOTS.map(({ uri }) => uri).join(" ") };
  const answers = (call: string): string[] =>
    kinds.map((kind) => {
      if (kind === "roots") return answerOf.roots;
      const text = `${answerOf[kind]}${call}`;
      return kind === "elicit" ? text : JSON.stringify({ type: "text", text });
    });
  return { act: "ask", args: { kinds }, expected: (call) => answers(call).join("\n") };
}

function pickAct(random: Random): Act {
  let left = random.next() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [act, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return act;
  }
  return "echo";
}
