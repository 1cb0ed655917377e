// The words of the graph, and what may be stored.
import { clip, GraphError } from "./errors.ts";

// Types and not interfaces, as what goes out may have more members.
export type Entity = {
  name: string;
  entityType: string;
  observations: string[];
};

export type Relation = {
  from: string;
  to: string;
  relationType: string;
};

/** Longest name of an entity, a type or a kind of relation, and longest observation, in characters. */
export const NAME_LENGTH = 4000;
export const TEXT_LENGTH = 1_000_000;
/** Most things that one call may name. */
export const CALL_ITEMS = 100_000;

export function checkName(name: string, what = "An entity's name"): void {
  if (name === "") throw new GraphError("invalid", `${what} is empty: give one with at least one character. Nothing was changed.`);
  checkWord(name, what);
}

/** A type may be empty, as the reference server allows it. */
export function checkWord(name: string, what: string): void {
  if (name.length > NAME_LENGTH)
    throw new GraphError(
      "invalid",
      `${what} has ${name.length} characters, the limit is ${NAME_LENGTH}: ${clip(name, 60)} Put long texts into observations. Nothing was changed.`,
    );
  checkText(name, what);
}

export function checkText(text: string, what: string): void {
  if (text.length > TEXT_LENGTH)
    throw new GraphError(
      "invalid",
      `${what} has ${text.length} characters, the limit is ${TEXT_LENGTH}: divide it into several. Nothing was changed.`,
    );
  if (!text.isWellFormed())
    throw new GraphError(
      "invalid",
      `${what} is not well-formed text (half a surrogate pair): ${clip(text.toWellFormed(), 60)} Nothing was changed.`,
    );
}

/** Half a surrogate pair would be taken for U+FFFD by SQLite, and that may be a name. */
export const isStorable = (...texts: readonly string[]): boolean => texts.every((text) => text.isWellFormed());

export function checkCount(count: number): void {
  if (count > CALL_ITEMS)
    throw new GraphError("invalid", `One call may name ${CALL_ITEMS} things at most, not ${count}: make several calls.`);
}
