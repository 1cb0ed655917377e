/** The known failures of the suite, from `expected-failures.<revision>.yaml` in the suite's own format. */
import { readFileSync } from "node:fs";
import type { Outcome, Scenarios } from "./suite.ts";

/** The names in one list of such a file: the lines below its head that begin with a dash. */
export function expectedIn(yaml: string, leg: keyof Scenarios): string[] {
  const [, list = ""] = new RegExp(`^${leg}:((?:\\s*- .*|\\s*#.*|\\s*$)*)`, "m").exec(yaml) ?? [];
  return [...list.matchAll(/^\s*- (\S+)/gm)].map(([, name = ""]) => name);
}

export function expectedFailures(revision: string, leg: keyof Scenarios): string[] {
  return expectedIn(readFileSync(new URL(`../expected-failures.${revision}.yaml`, import.meta.url), "utf8"), leg);
}

/** The problems of an outcome, one line each: unexpected failures, and expected failures that did not occur. */
export function wrongWith({ scenario, failures }: Outcome, expected: readonly string[]): string[] {
  if (!expected.includes(scenario)) return failures;
  return failures.length > 0 ? [] : ["passes now: take it out of the expected failures"];
}
