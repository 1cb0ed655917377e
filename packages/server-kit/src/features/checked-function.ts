// checkFunction and checkText: refuse a definition without the function that serves it, or without a name, which JavaScript does not
// notice before the first request.
import { typeOf } from "./content.ts";

/** Throws a TypeError that begins with the owner, such as `tool "echo"`. */
export function checkFunction(value: unknown, owner: string, name: string): void {
  if (typeof value !== "function") throw new TypeError(`${owner}: expected a function ${name}, got ${typeOf(value)}.`);
}

/** As {@link checkFunction}, for a text such as the name: clients refuse the whole list of an entry without it. */
export function checkText(value: unknown, owner: string, name: string): void {
  if (typeof value !== "string") throw new TypeError(`${owner}: expected ${name} as text, got ${typeOf(value)}.`);
}
