// Limits of names, texts and calls.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "./errors.ts";

/** Longest name of an entity and longest type, in characters. */
export const MAX_NAME_LENGTH = 4000;
/** Longest observation, in characters. */
export const MAX_TEXT_LENGTH = 1_000_000;
/** Most items in one call. */
export const MAX_CALL_ITEMS = 100_000;

/** A character that is neither a blank, nor a control character, nor without a width. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** `subject` begins the message of the error. */
export function checkName(name: string, subject = "Entity name"): void {
  if (name === "") throw new GraphError("invalid", `${subject} is empty: at least one character is expected. Nothing was changed.`);
  checkType(name, subject);
}

/** The same for a name that a caller chooses. Files of other programs may have names that show nothing. */
export function checkVisibleName(name: string, subject = "Entity name"): void {
  checkName(name, subject);
  if (!VISIBLE.test(name))
    throw new GraphError("invalid", `${subject} is blank: at least one visible character is expected. Nothing was changed.`);
}

/** A type may be empty, as in the reference server. */
export function checkType(name: string, subject: string): void {
  if (name.length > MAX_NAME_LENGTH)
    throw new GraphError(
      "invalid",
      `${subject} too long: ${name.length} characters, at most ${MAX_NAME_LENGTH} are allowed (${clip(name, 60)}). Put long texts into observations. Nothing was changed.`,
    );
  checkText(name, subject);
}

export function checkText(text: string, subject: string): void {
  if (text.length > MAX_TEXT_LENGTH)
    throw new GraphError(
      "invalid",
      `${subject} too long: ${text.length} characters, at most ${MAX_TEXT_LENGTH} are allowed. Divide it into several. Nothing was changed.`,
    );
  if (!isStorable(text))
    throw new GraphError(
      "invalid",
      `${subject} is not well-formed text: it has half a surrogate pair (${clip(text.toWellFormed(), 60)}). Nothing was changed.`,
    );
}

/** SQLite would store half a surrogate pair as U+FFFD, which may be part of another name. */
export const isStorable = (...texts: readonly string[]): boolean => texts.every((text) => text.isWellFormed());

export function checkItemCount(count: number): void {
  if (count > MAX_CALL_ITEMS)
    throw new GraphError("invalid", `Too many items: ${count} in one call, at most ${MAX_CALL_ITEMS} are allowed. Make several calls.`);
}
