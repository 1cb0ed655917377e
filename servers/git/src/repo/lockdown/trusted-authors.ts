// --lockdown: whose texts are shown. Addresses of authors can be forged: this keeps texts of strangers in ordinary repositories from the
// model, and proves nothing.
import type { ConfigEntry } from "../process/config-list.ts";

/** Stands in place of a text. */
export const HIDDEN = "[hidden by --lockdown: another author]";

/** How git blame names lines that are not committed: the user's own. */
const UNCOMMITTED = "not.committed.yet";
const ADDRESS_KEYS = /^(?:user|author|committer)\.email$/;
const ADDRESS_VARIABLES = ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL", "EMAIL"];

/** Whether an author, by the address, is the user of this server. */
export type IsTrusted = (email: string) => boolean;

/** The addresses in the configuration and in the environment; without any, all authors are strangers. */
export function trustedAuthors(settings: readonly ConfigEntry[], env: Readonly<Record<string, string | undefined>>): IsTrusted {
  const configured = settings.filter(({ key }) => ADDRESS_KEYS.test(key)).map(({ value }) => value ?? "");
  const given = [...configured, ...ADDRESS_VARIABLES.map((name) => env[name] ?? "")];
  const addresses = new Set(given.map((address) => address.trim().toLowerCase()).filter((address) => address !== ""));
  return (email) => addresses.has(email.trim().toLowerCase()) || email === UNCOMMITTED;
}

/** The address in `Name <address>`; empty where there is none. */
export const addressIn = (person: string): string => /<([^<>]*)>/.exec(person)?.[1] ?? "";
