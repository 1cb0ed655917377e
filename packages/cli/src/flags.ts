// Flags: the author's table of switches; names, environment variables, help and types follow from it.

/** `string`, spelled so that TypeScript keeps the literal types of a list under `satisfies`. */
type Word = "" | (string & {});

interface FlagBase {
  /** One plain phrase for `--help`. */
  help: string;
  /** One letter or two, for `-x`. */
  short?: string;
  /** An environment variable of a predecessor, read where the switch's own variable is not set. A blank value counts as not set. */
  legacyEnv?: string;
  /** A value that only a server over HTTP takes: `doctor`, which starts one over stdio, leaves it out. */
  httpOnly?: string;
}

/** One switch: its type, its help text and its default. */
export type Flag =
  /** On or off. Default off. */
  | (FlagBase & { type: "boolean" })
  /** One of `choices`. `bare`: the choice of a switch that is given without a value. */
  | (FlagBase & { type: "choice"; choices: readonly Word[]; value?: string; default?: Word; bare?: Word })
  /** A whole number above 0; `zero`: or 0. */
  | (FlagBase & { type: "count"; value: string; default?: number; zero?: boolean })
  /** A TCP port; 0 takes a free one. */
  | (FlagBase & { type: "port"; value: string; default?: number })
  /** `N/s`, read as the number per second. */
  | (FlagBase & { type: "rate"; value: string; default?: number })
  | (FlagBase & { type: "text"; value: string; default?: string })
  /** A path; a leading `~` is the home directory. */
  | (FlagBase & { type: "path"; value: string; default?: string })
  /** Repeatable. In the environment variable, commas outside braces separate the items. */
  | (FlagBase & { type: "list"; value: string })
  /** As `list`, of paths. */
  | (FlagBase & { type: "paths"; value: string })
  /** As `list`, with commas on the command line too. */
  | (FlagBase & { type: "names"; value: string });

/**
 * The switches of a server by key: `allowDelete` is `--allow-delete`, with the environment variable `OARLOCK_ALLOW_DELETE`.
 * @example
 * const flags = {
 *   deny: { type: "list", value: "GLOB", help: "hide matching paths" },
 *   roots: { type: "choice", choices: ["narrow", "ignore"], default: "narrow", help: "what the client's roots do" },
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

type IsAlwaysSet<F extends Flag> = F extends { default: unknown } | { type: "boolean" | "list" | "paths" | "names" } ? true : false;

/** The values of flags by key. A flag without a default that was not given is undefined. */
export type FlagValues<F extends Flags> = {
  readonly [K in keyof F]: IsAlwaysSet<F[K]> extends true ? ValueOf<F[K]> : ValueOf<F[K]> | undefined;
};

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
