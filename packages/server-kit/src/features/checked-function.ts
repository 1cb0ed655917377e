// checkFunction: refuses a definition without the function that serves it, which JavaScript does not notice before the first request.
import { typeOf } from "./content.ts";

/** Throws a TypeError that begins with the owner, such as `tool "echo"`. */
export function checkFunction(value: unknown, owner: string, name: string): void {
  if (typeof value !== "function") throw new TypeError(`${owner}: expected a function ${name}, got ${typeOf(value)}.`);
}
