// For whom the running code works. Known to all that a request starts, however deep it lies, and only where a login tells people apart.
import type { AsyncLocalStorage } from "node:async_hooks";

let people: AsyncLocalStorage<string> | undefined;

/** Runs work for a person. */
export function actFor<T>(person: string, work: () => T): T {
  // Loaded with the first login: most processes serve one user.
  people ??= new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)<string>();
  return people.run(person, work);
}

/** Undefined where no login tells people apart. */
export const actingPerson = (): string | undefined => people?.getStore();
