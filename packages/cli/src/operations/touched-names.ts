// Touched names: what a call names as its target, for a line of the audit file.
import { normalize } from "node:path";
import { truncateText } from "@oarlock/domain-kit";
import { hideParameters, redact } from "../redaction.ts";

/** Arguments whose values name what is touched, as `plain` writes them; contents and queries are in other arguments. */
const NAMING: ReadonlySet<string> = new Set(
  (
    "path paths source destination directory repopath file files database table tablename name names newname entityname entitynames " +
    "entitytype from to relationtype branch branchname tag remote revision target index startpoint basebranch"
  ).split(" "),
);

/** How much of the names one line may hold. */
interface NameLimits {
  readonly names: number;
  /** Of all names together: a very long line would push the older ones out of the file when it is rotated. */
  readonly characters: number;
}

/** More than a call changes or names as a rule, as the last name of a list may be the one that matters. */
const KNOWN_LIMITS: NameLimits = { names: 10_000, characters: 256 * 1024 };
const ARGUMENT_LIMITS: NameLimits = { names: 1000, characters: 64 * 1024 };
const MAX_DEPTH = 3;
/** PATH_MAX of Linux: of two files whose paths differ in the middle only, the line shows which it was. */
const MAX_NAME_LENGTH = 4096;
/** Limit of texts that name the caller. */
const MAX_TEXT_LENGTH = 200;

/** Where user info can stand. A longer name is a path with padding. */
const MAX_ADDRESS_LENGTH = 8192;

/** What stands before the host in `https://me:password@host` and in `me@host:folder`, which may stand where a name does. */
const USER_INFO = /(:\/\/|::)[^/?#]{0,1024}@|^[^\s/\\@]{1,1024}@(?=[^\s/\\:]{1,1024}:)/g;

export interface Touched {
  readonly touched: readonly string[];
  /** Names that were left out because there are too many. Absent if there are none. */
  readonly more?: number;
}

/**
 * The names for the line of one call, each once and the most certain first: what is known to be changed, then arguments that the tool takes,
 * then what is inside their lists and objects, and last arguments that the tool does not know, with which a caller could fill the line.
 * @param declared The names of the arguments that the tool takes. A caller may spell them with other separators and letter case.
 */
export function touchedNames(args: unknown, known: readonly string[], declared: readonly string[] = []): Touched {
  const found: [direct: string[], nested: string[], others: string[]] = [[], [], []];
  const collect = (part: unknown, isName: boolean, depth: number, into: string[]): void => {
    if (depth > MAX_DEPTH) return;
    if (typeof part === "string") {
      if (isName) into.push(part);
    } else if (Array.isArray(part)) for (const item of part) collect(item, isName, depth + 1, into);
    else if (typeof part === "object" && part !== null)
      for (const [key, member] of Object.entries(part)) collect(member, NAMING.has(plain(key)), depth + 1, into);
  };
  const effective = new Set(declared.map(plain));
  if (typeof args === "object" && args !== null)
    for (const [key, member] of Object.entries(args)) {
      const [direct, nested, others] = found;
      const ofTool = typeof member === "string" ? direct : nested;
      collect(member, NAMING.has(plain(key)), 1, effective.has(plain(key)) ? ofTool : others);
    }
  const changed = new Set(known);
  const others = new Set(found.flat().filter((name) => !changed.has(name)));
  const parts = [visibleWithin(changed, KNOWN_LIMITS), visibleWithin(others, ARGUMENT_LIMITS)];
  const more = parts.reduce((sum, part) => sum + part.more, 0);
  return { touched: parts.flatMap((part) => part.touched), ...(more > 0 && { more }) };
}

function visibleWithin(names: ReadonlySet<string>, limits: NameLimits): Required<Touched> {
  const touched: string[] = [];
  let characters = 0;
  let more = names.size;
  for (const name of names) {
    if (touched.length >= limits.names || characters > limits.characters) break;
    for (const visible of visibleNames(name)) {
      touched.push(visible);
      characters += visible.length;
    }
    more -= 1;
  }
  return { touched, more };
}

/** The name of an argument without separators and letter case, in which callers may differ. */
const plain = (key: string): string => key.toLowerCase().replaceAll(/[_.-]/g, "");

/**
 * How a name is shown: as it was given, and normalized as a path where it goes up. `x://../victim` looks like an address with a host; as a path
 * it is `victim`. Of a long name only the normalized form is shown.
 */
function visibleNames(name: string): string[] {
  const start = name.slice(0, MAX_ADDRESS_LENGTH).replaceAll(USER_INFO, (_all, before: string | undefined) => `${before ?? ""}***@`);
  const anonymous = start + name.slice(MAX_ADDRESS_LENGTH);
  const isLong = anonymous.length > MAX_NAME_LENGTH;
  // Many `/./` and `//` would push the name of the file into the part that is cut out.
  const normal = isLong || /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(anonymous) ? normalize(anonymous) : anonymous;
  const hide = anonymous.includes("://") ? hideParameters : (part: string): string => part;
  return [...new Set(isLong ? [normal] : [anonymous, normal])].map((text) => redactParts(clipMiddle(text, MAX_NAME_LENGTH), hide));
}

/** Each part on its own: what looks like a secret hides no part behind it. */
const redactParts = (path: string, hide: (part: string) => string): string =>
  path
    .split(/([/\\])/)
    .map((part) => redact(hide(part)))
    .join("");

/** The beginning and the end of a long text, as the end of a path says most. */
export function clipMiddle(text: string, maxLength = MAX_TEXT_LENGTH): string {
  if (text.length <= maxLength) return text;
  const half = maxLength / 2;
  return `${truncateText(text, half)}${text.slice(-half).replace(/^[\udc00-\udfff]/, "")}`;
}
