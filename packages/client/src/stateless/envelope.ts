// What each request says of who sends it, and what each result carries beside what was asked for.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
import { isObject, type ClientCapabilities, type Implementation, type Json, type LogLevel } from "@oarlock/server-kit/protocol";
import { BadAnswer } from "../errors.ts";

const PREFIX = "io.modelcontextprotocol/";
export const PROTOCOL_VERSION = `${PREFIX}protocolVersion`;
export const SERVER_INFO = `${PREFIX}serverInfo`;
export const SUBSCRIPTION_ID = `${PREFIX}subscriptionId`;

/** Requests that may end in questions. */
const MAY_ASK = new Set(["tools/call", "prompts/get", "resources/read"]);

export class Envelope {
  revision: string;
  /** Log entries from this level on; none without one. */
  level: LogLevel | undefined;
  readonly #capabilities: ClientCapabilities;
  readonly #clientInfo: Implementation | undefined;

  constructor(revision: string, capabilities: ClientCapabilities, clientInfo: Implementation | undefined) {
    this.revision = revision;
    this.#capabilities = capabilities;
    this.#clientInfo = clientInfo;
  }

  /** Params as they go out; what stands in their `_meta` already has precedence. */
  around(params: Json = {}): Json {
    const _meta = {
      [PROTOCOL_VERSION]: this.revision,
      [`${PREFIX}clientCapabilities`]: this.#capabilities,
      ...(this.#clientInfo && { [`${PREFIX}clientInfo`]: this.#clientInfo }),
      ...(this.level && { [`${PREFIX}logLevel`]: this.level }),
      ...(isObject(params._meta) ? params._meta : {}),
    };
    return { ...params, _meta };
  }
}

/** Whether a result asks for something first. Throws on a kind of result that nobody knows; one without a kind is complete. */
export function isQuestion(method: string, { resultType = "complete" }: Json): boolean {
  if (resultType === "complete") return false;
  if (resultType === "input_required" && MAY_ASK.has(method)) return true;
  throw new BadAnswer(`The server answered ${method} with a result of the kind ${JSON.stringify(resultType)}, which is none`);
}

/** A result without what every result of this era carries. */
export function opened({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }: Json): Json {
  if (!isObject(result._meta)) return result;
  const { [SERVER_INFO]: _info, ...own } = result._meta;
  const { _meta, ...rest } = result;
  return Object.keys(own).length > 0 ? { ...rest, _meta: own } : rest;
}
