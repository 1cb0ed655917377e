// probe: one connection that finds out what the engine is, and whether it takes this address.
import { Redis } from "ioredis";
import type { Address } from "./address.ts";
import { withDeadline } from "./deadline.ts";

/** How its nodes share the keys. */
export type Mode = "standalone" | "cluster";

/** Sharded messages and scripts need this version. All versions of Valkey are later. */
const OLDEST_MAJOR = 7;

/** The engine refuses this address. Waiting does not help. */
export class Refusal extends Error {}

/**
 * The mode of the engine; undefined while it does not answer.
 * @throws Refusal with one sentence.
 */
export async function probe({ name, options, answerMs }: Address): Promise<Mode | undefined> {
  const redis = new Redis({
    ...options,
    protocol: 2,
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    disableClientInfo: true,
    connectTimeout: answerMs,
    commandTimeout: answerMs,
  });
  let failure: unknown;
  redis.on("error", (error) => (failure ??= error));
  try {
    await withDeadline(redis.connect(), answerMs);
    const facts = factsOf(await withDeadline(redis.call("HELLO"), answerMs));
    // A database that does not exist is reported beside the reply.
    if (failure instanceof Error) throw failure;
    if (Number.parseInt(facts.get("version") ?? "0", 10) < OLDEST_MAJOR) throw new Refusal(tooOld(name));
    return facts.get("mode") === "cluster" ? "cluster" : "standalone";
  } catch (error) {
    const refusal = refusalOf(name, failure ?? error);
    if (refusal !== undefined) throw refusal;
    return undefined;
  } finally {
    redis.disconnect();
  }
}

/** The reply is a list of names and values, in turn. */
function factsOf(reply: unknown): Map<string, string> {
  const list = Array.isArray(reply) ? reply : [];
  return new Map(list.flatMap((name, index) => (index % 2 === 0 ? [[String(name), String(list[index + 1])] as const] : [])));
}

function refusalOf(name: string, error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(WRONGPASS|NOAUTH|NOPERM)|AUTH .*without any password/.test(text))
    return new Refusal(`The engine at ${name} refuses the user or password.`);
  if (/DB index/.test(text)) return new Refusal(`The engine at ${name} has no database with the number of the address.`);
  if (text.startsWith("DENIED"))
    return new Refusal(`The engine at ${name} is in protected mode and refuses connections from other machines.`);
  if (/unknown command/i.test(text)) return new Refusal(tooOld(name));
  if (/RESP type|^Protocol error/.test(text)) return new Refusal(`The server at ${name} is neither Valkey nor Redis.`);
  if (code === "ENOTFOUND") return new Refusal(`The host of the engine, ${name}, does not exist.`);
  if (/CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code))
    return new Refusal(`No secure connection to the engine at ${name}: ${text}.`);
  return undefined;
}

const tooOld = (name: string): string => `The engine at ${name} is too old: Valkey, or Redis ${OLDEST_MAJOR}.0 or later, is needed.`;
