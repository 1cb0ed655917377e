// The metadata of stateless requests and results: what `_meta` of each request declares, and the members that each result has.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
import { isObject, type ClientCapabilities, type Implementation, type Json, type LogLevel } from "@oarlock/server-kit/protocol";
import type { ClientConnection } from "../connection/client-connection.ts";
import { InvalidResponseError } from "../errors.ts";
import { CLIENT_INFO } from "../options.ts";
import { META_PREFIX, PROTOCOL_VERSION, SERVER_INFO } from "../meta-keys.ts";

/** The requests that may result in input requests. */
const MULTI_ROUND_TRIP_METHODS = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Creates the `_meta` of requests. */
export class Envelope {
  revision: string;
  /** The minimum level of log messages; undefined for no log messages. */
  level: LogLevel | undefined;
  readonly #capabilities: ClientCapabilities;
  readonly #clientInfo: Implementation | undefined;

  constructor(revision: string, { capabilities, options }: ClientConnection) {
    const { clientInfo = CLIENT_INFO } = options;
    this.revision = revision;
    this.#capabilities = capabilities;
    this.#clientInfo = clientInfo === false ? undefined : clientInfo;
  }

  /** Adds the metadata to params. Members that are already in their `_meta` take precedence. `extensions`: declared in addition. */
  wrap(params: Json = {}, extensions: Json = {}): Json {
    const declared = { ...this.#capabilities.extensions, ...extensions };
    const capabilities = Object.keys(declared).length === 0 ? this.#capabilities : { ...this.#capabilities, extensions: declared };
    const _meta = {
      [PROTOCOL_VERSION]: this.revision,
      [`${META_PREFIX}clientCapabilities`]: capabilities,
      ...(this.#clientInfo && { [`${META_PREFIX}clientInfo`]: this.#clientInfo }),
      ...(this.level && { [`${META_PREFIX}logLevel`]: this.level }),
      ...(isObject(params._meta) ? params._meta : {}),
    };
    return { ...params, _meta };
  }
}

/** Whether a result has input requests. A result without a type is complete; an unknown type throws. */
export function isInputRequired(method: string, { resultType = "complete" }: Json): boolean {
  if (resultType === "complete") return false;
  if (resultType === "input_required" && MULTI_ROUND_TRIP_METHODS.has(method)) return true;
  throw new InvalidResponseError(`Invalid result of ${method}: unknown resultType ${JSON.stringify(resultType)}`);
}

/** Removes the members that every stateless result has. */
export function unwrapResult({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }: Json): Json {
  if (!isObject(result._meta)) return result;
  const { [SERVER_INFO]: _info, ...own } = result._meta;
  const { _meta, ...rest } = result;
  return Object.keys(own).length > 0 ? { ...rest, _meta: own } : rest;
}
