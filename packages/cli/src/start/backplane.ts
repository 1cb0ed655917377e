// Backplane: opens what --backplane names. Its package is optional, and loaded only with this switch.
import type { Backplane } from "@oarlock/cluster/backplane";
import { quoted, StartError } from "./start-error.ts";

export interface BackplaneSwitches {
  /** The name of the server. */
  readonly name: string;
  readonly url: string;
  /** Undefined: `oarlock:` and the name of the server. */
  readonly prefix: string | undefined;
  readonly stateKeys: readonly string[];
}

/** How a package of a backplane opens it. Rejects when waiting would not help: a wrong password, a version that is too old. */
type OpenBackplane = (url: string, options: { prefix: string }) => Promise<Backplane>;

export interface Engine {
  readonly packageName: string;
  readonly functionName: string;
  readonly defaultPort: number;
}

const VALKEY: Engine = { packageName: "@oarlock/backplane-valkey", functionName: "valkeyBackplane", defaultPort: 6379 };
const POSTGRES: Engine = { packageName: "@oarlock/backplane-postgres", functionName: "postgresBackplane", defaultPort: 5432 };

const ENGINES: Readonly<Record<string, Engine>> = {
  "valkey:": VALKEY,
  "valkeys:": VALKEY,
  "redis:": VALKEY,
  "rediss:": VALKEY,
  "postgres:": POSTGRES,
  "postgresql:": POSTGRES,
};

/**
 * Loads what opens the backplane. An engine that does not answer yet is not an error. No message has the URL, which may hold a password.
 * @returns Opens it, and throws a StartError for an engine that refuses this server.
 * @throws StartError for switches that do not fit together, and a missing package.
 */
export async function prepareBackplane({
  name,
  url,
  prefix = `oarlock:${name}`,
  stateKeys,
}: BackplaneSwitches): Promise<() => Promise<Backplane>> {
  const engine = engineOf(url);
  if (stateKeys.length === 0)
    throw new StartError(
      "--backplane needs --state-key, the same one on every node: each node opens what the others have sealed. Make one with: openssl rand -hex 32",
      2,
    );
  const open = await loadPackage(name, engine);
  return async () => {
    try {
      return await open(url, { prefix });
    } catch (error) {
      throw new StartError(`The backplane cannot be used: ${describeReason(error)}`, 3);
    }
  };
}

/** Throws a StartError for a URL of no engine. */
export function engineOf(url: string): Engine {
  const protocol = URL.parse(url)?.protocol;
  const engine = protocol === undefined ? undefined : ENGINES[protocol];
  if (engine !== undefined) return engine;
  const schemes = Object.keys(ENGINES).map((scheme) => `${scheme}//`);
  const got = protocol === undefined ? "a text that is not a URL" : quoted(`${protocol}//`);
  throw new StartError(`Invalid value for --backplane: expected a URL that begins with ${schemes.join(", ")}, got ${got}.`, 2);
}

async function loadPackage(name: string, { packageName, functionName }: Engine): Promise<OpenBackplane> {
  try {
    // A name that bundlers do not see: the package is installed beside the server, not bundled with it.
    const { [functionName]: open } = (await import(packageName)) as Record<string, OpenBackplane>; // the type that the package declares
    if (open !== undefined) return open;
  } catch (error) {
    if (!isMissing(error, packageName)) throw error;
  }
  throw new StartError(
    `--backplane needs the package ${packageName}, which is not installed beside ${name}. Install it with: npm install ${packageName}`,
    2,
  );
}

/** Whether the package itself is missing, and not one that it needs. */
const isMissing = (error: unknown, packageName: string): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes(`'${packageName}`);

/** On one line, with a full stop at its end. */
function describeReason(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
