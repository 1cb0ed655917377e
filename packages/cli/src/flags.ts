// Switches as a table: an author declares them once; their names, environment twins, help and types follow.

/** `string`, spelled so that TypeScript keeps the literal types of a list under `satisfies`. */
type Word = "" | (string & {});

interface Described {
  /** One plain phrase for `--help`. */
  help: string;
  /** One letter, for `-x`. */
  short?: string;
  /** A variable that is read where the environment twin is not set, as users of a predecessor have it; a blank one says nothing. */
  formerly?: string;
}

/** One switch: its type, what it is for, its default. */
export type Flag =
  /** On or off; off when nothing is said. */
  | (Described & { type: "boolean" })
  /** One of `choices`. */
  | (Described & { type: "choice"; choices: readonly Word[]; value?: string; default?: Word })
  /** A whole number above 0. */
  | (Described & { type: "count"; value: string; default?: number })
  /** A TCP port; 0 asks for a free one. */
  | (Described & { type: "port"; value: string; default?: number })
  /** `N/s`, given as the number a second. */
  | (Described & { type: "rate"; value: string; default?: number })
  | (Described & { type: "text"; value: string; default?: string })
  /** A path; a leading `~` is the home folder. */
  | (Described & { type: "path"; value: string; default?: string })
  /** May be given several times; commas separate only in the environment, and not inside braces. */
  | (Described & { type: "list"; value: string })
  /** As `list`, of paths. */
  | (Described & { type: "paths"; value: string })
  /** As `list`, but commas separate everywhere. */
  | (Described & { type: "names"; value: string });

/**
 * The switches of a server: `allowDelete` is `--allow-delete`, with the environment twin `OARLOCK_ALLOW_DELETE`.
 * @example
 * const flags = {
 *   deny: { type: "list", value: "GLOB", help: "hide what matches" },
 *   roots: { type: "choice", choices: ["narrow", "ignore"], default: "narrow", help: "what the client's folders do" },
 * } satisfies Flags;
 */
export type Flags = Readonly<Record<string, Flag>>;

interface Values {
  boolean: boolean;
  count: number;
  port: number;
  rate: number;
  text: string;
  path: string;
  list: readonly string[];
  paths: readonly string[];
  names: readonly string[];
}

type ValueOf<F extends Flag> = F extends { type: "choice"; choices: readonly (infer C)[] } ? C : Values[Exclude<F["type"], "choice">];

type IsSure<F extends Flag> = F extends { default: unknown } | { type: "boolean" | "list" | "paths" | "names" } ? true : false;

/** What flags read to: a flag that has no default and was not given is undefined. */
export type Read<F extends Flags> = { readonly [K in keyof F]: IsSure<F[K]> extends true ? ValueOf<F[K]> : ValueOf<F[K]> | undefined };

/** A flag with its names. */
export interface Switch {
  /** `allowDelete` */
  readonly key: string;
  /** `allow-delete` */
  readonly name: string;
  /** `OARLOCK_ALLOW_DELETE` */
  readonly env: string;
  readonly flag: Flag;
}

export function switchesOf(flags: Flags): Switch[] {
  return Object.entries(flags).map(([key, flag]) => {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { key, name, env: `OARLOCK_${name.replaceAll("-", "_").toUpperCase()}`, flag };
  });
}

export const isList = ({ type }: Flag): boolean => type === "list" || type === "paths" || type === "names";
