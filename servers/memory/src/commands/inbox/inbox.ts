// inbox: candidate facts, which are stored in the memory only once they are confirmed.
import { counted, escapeControls } from "@oarlock/domain-kit";
import type { Graph } from "../../graph/graph.ts";
import { addObservations, createEntities } from "../../graph/write/creation.ts";
import { UsageError } from "../context.ts";
import { print } from "../export.ts";
import { InboxFile, MAX_FACT_LENGTH, type WaitingFact } from "./inbox-file.ts";

export interface InboxCall {
  /** `add FACT`, `list`, `confirm ID…`, `decline ID…`; `all` stands for every id. */
  readonly words: readonly string[];
  /** The entity of a fact that is added. */
  readonly entity: string;
  /** The database of the memory. */
  readonly database: string;
  /** Opens the memory. */
  onGraph(action: (graph: Graph) => Promise<number>): Promise<number>;
}

/** Returns the exit code. Throws a UsageError. */
export async function inbox({ words, entity, database, onGraph }: InboxCall): Promise<number> {
  const [action, ...rest] = words;
  using file = InboxFile.open(database, { isNew: action === "add" });
  switch (action) {
    case "add":
      return await say(added(file, entity, rest));
    case "list":
      if (rest.length > 0) throw new UsageError("inbox list takes no further words");
      return await say(listOf(file.waiting()));
    case "confirm": {
      const chosen = choose(file.waiting(), rest);
      return await onGraph(async (graph) => {
        for (const one of chosen) {
          await store(graph, one);
          file.remove(one.id);
        }
        return await say(`Stored: ${counted(chosen.length, "fact")}.`);
      });
    }
    case "decline": {
      const chosen = choose(file.waiting(), rest);
      for (const { id } of chosen) file.remove(id);
      return await say(`Declined: ${counted(chosen.length, "fact")}. Nothing of them is kept.`);
    }
    default:
      throw new UsageError("inbox needs one of add, list, confirm, decline");
  }
}

function added(file: InboxFile, entity: string, [fact = "", ...surplus]: readonly string[]): string {
  const text = fact.trim();
  if (text === "" || surplus.length > 0) throw new UsageError(`inbox add needs one fact, in quotes`);
  if (text.length > MAX_FACT_LENGTH) throw new UsageError(`A fact has at most ${MAX_FACT_LENGTH} characters: divide it`);
  const count = file.add([{ entity, entityType: "unknown", fact: text }], { again: true });
  return count === 0 ? "It waits already, or the inbox is full: see inbox list." : "It waits in the inbox. Store it by inbox confirm.";
}

const listOf = (waiting: readonly WaitingFact[]): string =>
  waiting.length === 0
    ? "The inbox is empty."
    : waiting.map(({ id, entity, fact }) => `${id}  ${escapeControls(entity)}: ${escapeControls(fact)}`).join("\n");

/** Throws a UsageError for an id that does not wait. */
function choose(waiting: readonly WaitingFact[], ids: readonly string[]): readonly WaitingFact[] {
  if (ids.length === 0) throw new UsageError("Name the ids that inbox list shows, or all");
  if (ids.length === 1 && ids[0] === "all") return waiting;
  return ids.map((id) => {
    const found = waiting.find((one) => String(one.id) === id);
    if (found === undefined) throw new UsageError(`No fact ${JSON.stringify(id)} waits: see inbox list`);
    return found;
  });
}

async function store(graph: Graph, { entity, entityType, fact }: WaitingFact): Promise<void> {
  await graph.writeInSlices("inbox", function* (rows, call) {
    yield* createEntities(rows, call, [{ name: entity, entityType, observations: [] }]);
    return yield* addObservations(rows, call, [{ entityName: entity, contents: [fact] }], false);
  });
}

async function say(text: string): Promise<number> {
  await print([`${text}\n`]);
  return 0;
}
