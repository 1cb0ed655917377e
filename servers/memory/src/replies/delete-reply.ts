// What the three tools that delete have in common: the reply, and who is asked before.
import type { InteractiveContext } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import type { Deleted } from "../graph/write/deletion.ts";
import type { Purged } from "../graph/write/purge.ts";
import type { Change, Store } from "../graph/store/store.ts";
import type { Parts } from "../dependencies.ts";
import { needYes } from "../confirmation.ts";
import { reply } from "./reply.ts";

export interface Deleting {
  /** What the reference server says. */
  message: string;
  purge: boolean;
  /** Names of entities that would go. */
  doomed: readonly string[];
  remove(store: Store, change: Change): Generator<unknown, Deleted>;
  /** How many things would go. */
  weight: number | ((store: Store) => number);
  removeForGood(store: Store, change: Change): Generator<unknown, Purged>;
}

export function deleted(parts: Parts, ctx: InteractiveContext, { message, purge, doomed, remove, weight, removeForGood }: Deleting) {
  const { memory, allowPurge } = parts;
  const act = () =>
    after(
      purge
        ? memory.purge(ctx.client.name, { steps: removeForGood, weight, signal: ctx.signal })
        : memory.changeInSteps(ctx.client.name, { steps: remove, weight, signal: ctx.signal }),
      (counts) => reply(message, { success: true, message, deleted: counts }),
    );
  const question = questionOf(parts, purge, doomed.length);
  return question === undefined || allowPurge ? act() : needYes(ctx, question).then(act);
}

function questionOf({ askAbove }: Parts, purge: boolean, entities: number): Parameters<typeof needYes>[1] | undefined {
  if (purge) {
    return {
      message: "Purge what was named from the memory, with its history? It cannot be brought back.",
      act: "purge from the memory",
      way: "Start the server with --allow-purge to allow it without a question, or leave purge out: what is deleted without it stays in history.",
    };
  }
  if (entities <= askAbove) return undefined;
  return {
    message: `Delete ${entities} entities from the memory, with their observations and relations?`,
    act: `delete ${entities} entities at once`,
    way: `Delete at most ${askAbove} in one call, or start the server with --allow-purge.`,
  };
}
