// Notes of successful replies that name tools which are not offered here: the note adds that. The kit does so for errors.
import type { Dependencies } from "../dependencies.ts";

const TOOL_NAME = /\b[a-z]+(?:_[a-z]+)+\b/g;

export function namingWithheld(note: string, { isWithheld }: Pick<Dependencies, "isWithheld">): string {
  const names = [...new Set(note.match(TOOL_NAME))].filter((name) => isWithheld(name));
  return names.length === 0 ? note : `${note.replace(/\.$/, "")} (not offered here: ${names.join(", ")})${note.endsWith(".") ? "." : ""}`;
}

/** The rows of a statement with such notes. */
export const withNamedTools = <T extends { readonly slips?: readonly string[] | undefined }>(
  result: T,
  deps: Pick<Dependencies, "isWithheld">,
): T => (result.slips === undefined ? result : { ...result, slips: result.slips.map((slip) => namingWithheld(slip, deps)) });
