// The `_meta` keys that the protocol reserves (newest revision), and the envelope of stateless requests.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
import { isObject, type Json } from "../wire/json-rpc.ts";
import { invalidParams } from "./errors.ts";
import { LOG_LEVELS, type ClientCapabilities, type LogLevel } from "./types.ts";

export const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
export const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
export const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** The envelope of a stateless request, which describes its client. */
export interface Envelope {
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: { readonly name: string; readonly version: string } | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** Whether params carry an envelope, which makes a request stateless on every transport. */
export function hasEnvelope(params: unknown): boolean {
  return isObject(params) && isObject(params._meta) && params._meta[PROTOCOL_VERSION] !== undefined;
}

/** Reads the envelope. Throws -32602 when a required member is missing or has another type. */
export function readEnvelope(params: Json): Envelope {
  const meta = params._meta;
  if (!isObject(meta)) throw invalidParams(`_meta: expected an object with ${PROTOCOL_VERSION} and ${CLIENT_CAPABILITIES}`);
  const { [PROTOCOL_VERSION]: version, [CLIENT_CAPABILITIES]: capabilities, [CLIENT_INFO]: info, [LOG_LEVEL]: level } = meta;
  if (typeof version !== "string") throw invalidParams(`_meta, ${PROTOCOL_VERSION}: expected a string`);
  if (!isObject(capabilities)) throw invalidParams(`_meta, ${CLIENT_CAPABILITIES}: expected an object`);
  if (info !== undefined && !(isObject(info) && typeof info.name === "string" && typeof info.version === "string")) {
    throw invalidParams(`_meta, ${CLIENT_INFO}: expected a name and a version, both strings`);
  }
  if (level !== undefined && !LOG_LEVELS.includes(level as LogLevel)) {
    throw invalidParams(`_meta, ${LOG_LEVEL}: expected one of ${LOG_LEVELS.join(", ")}`);
  }
  return {
    version,
    capabilities, // an open set: each use checks the member that it reads
    clientInfo: info === undefined ? undefined : { name: String(info.name), version: String(info.version) },
    logLevel: level as LogLevel | undefined, // checked above
  };
}
