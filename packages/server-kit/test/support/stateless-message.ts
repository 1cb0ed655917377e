// What clients of the newest era send: an envelope in each request, and headers that repeat the body.
import { expect } from "vitest";
import type { Json } from "../../src/protocol.ts";
import { BOTH, type HttpRequest } from "./http-faces.ts";
import { request } from "./sample.ts";

/** The revision of this era. */
export const NEWEST = "2026-07-28";

const KEY = "io.modelcontextprotocol/";

export const VERSION = `${KEY}protocolVersion`;
export const CAPABILITIES = `${KEY}clientCapabilities`;
export const CLIENT_INFO = `${KEY}clientInfo`;
export const LOG_LEVEL = `${KEY}logLevel`;
export const SERVER_INFO = `${KEY}serverInfo`;
export const SUBSCRIPTION_ID = `${KEY}subscriptionId`;

/** The client and its options. */
export interface As {
  /** Default 1. */
  id?: unknown;
  capabilities?: Json;
  logLevel?: unknown;
  progressToken?: unknown;
  /** Added to the envelope; undefined takes a key out. */
  meta?: Json;
  token?: string;
  /** Instead of the good ones; undefined leaves one out. */
  headers?: HttpRequest["headers"];
}

/** A request with its envelope. */
export function asks(method: string, params: Json = {}, { id = 1, capabilities = {}, logLevel, progressToken, meta }: As = {}): Json {
  const _meta = {
    [VERSION]: NEWEST,
    [CAPABILITIES]: capabilities,
    ...(logLevel !== undefined && { [LOG_LEVEL]: logLevel }),
    ...(progressToken !== undefined && { progressToken }),
    ...meta,
  };
  return request(id, method, { ...params, _meta });
}

/** A message as it is posted, with the headers that it should have. */
export function posting(message: Json, { token, headers = {} }: Pick<As, "token" | "headers"> = {}): HttpRequest {
  const params = (message.params ?? {}) as Json;
  const name = message.method === "resources/read" ? params.uri : (params.taskId ?? params.name);
  return {
    headers: {
      accept: BOTH,
      "content-type": "application/json",
      "mcp-protocol-version": NEWEST,
      "mcp-method": String(message.method),
      ...(typeof name === "string" && { "mcp-name": coded(name) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(message),
  };
}

/** A value as a header may hold it: as it stands, or in base64. */
export const coded = (value: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !value.startsWith("=?base64?") ? value : base64(value);

export const base64 = (value: string): string => `=?base64?${Buffer.from(value).toString("base64")}?=`;

/** An error with a status of its own: it names the request. */
export const refused = (code: number, data?: unknown): Json => ({
  jsonrpc: "2.0",
  id: 1,
  error: { code, message: expect.any(String), ...(data !== undefined && { data }) },
});
