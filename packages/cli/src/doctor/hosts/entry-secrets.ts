// Entry secrets: what the entry of a host sets may be secret, and a program may print it.
import { isSecretName } from "../../redaction.ts";

/** Shorter values, such as `1` or `true`, are ordinary words unless their name says that they are secret. */
const MIN_LENGTH = 6;
/** Messages of this package quote no more of a text. */
const MAX_QUOTED = 100;

/** The text without the values of the entry, also where they are quoted or cut. Paths are shown, as most failures of a start are about one. */
export function withoutSecrets(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const secrets = Object.entries(values).flatMap(([variable, value]) =>
    value === undefined || value === "" || (value.length < MIN_LENGTH && !isSecretName(variable)) || isPath(variable, value)
      ? []
      : formsOf(value),
  );
  // The longest first: one value may be the beginning of another.
  return secrets.sort((one, other) => other.length - one.length).reduce((left, secret) => left.replaceAll(secret, "***"), text);
}

/** The whole value and each of its lines, as they are and as in JSON. */
const formsOf = (value: string): string[] =>
  [value, ...value.split(/\r?\n/).map((line) => line.trim())]
    .filter((part) => part === value || part.length >= MIN_LENGTH)
    .flatMap((part) => [part, part.slice(0, MAX_QUOTED)])
    .flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);

/** Both have to look like one: a secret may begin with a slash. */
const isPath = (variable: string, value: string): boolean =>
  /(?:^|_)(?:DB|DIR|FILE|FOLDER|HOME|MIRROR|PATH|REPOSITORY|ROOT)$/i.test(variable) && /^(?:[~.]{0,2}[/\\]|[A-Za-z]:[/\\])/.test(value);
