// The request handlers that only the handshake era has; each works on the session that `initialize` opened.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
import { levelOf, severity } from "../features/logging.ts";
import { findResource } from "../features/resources/resource-requests.ts";
import type { Subscriptions } from "../features/resources/subscriptions.ts";
import type { Session } from "../peer/session.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { ServerCapabilities } from "../protocol/types.ts";
import type { Json } from "../wire/json-rpc.ts";
import { withWithheldNames } from "../features/tools/withheld-tools.ts";
import type { Server } from "./define.ts";
import type { Runtime } from "./runtime.ts";
import type { RevisionTable } from "./extension/extension-table.ts";
import type { CallHandler } from "./request/request-handler.ts";

/** The result of `initialize` as text. */
export function initializeText(server: Server, session: Session, table: RevisionTable): string {
  const { instructions } = server.spec;
  const { revision } = session;
  const capabilities = capabilitiesFor(session, table);
  const result = {
    protocolVersion: revision.id,
    capabilities,
    serverInfo: server.info,
    ...(instructions !== undefined && { instructions: withWithheldNames(instructions, server.tools.withheld) }),
  };
  return JSON.stringify(revision.encodeResult("initialize", result));
}

/** Without the extensions that are declared on request, where the client did not declare them. */
function capabilitiesFor({ client }: Session, { capabilities, requestedIds }: RevisionTable): ServerCapabilities {
  const { extensions, ...rest } = capabilities;
  if (extensions === undefined || requestedIds.size === 0) return capabilities;
  const declared = Object.entries(extensions).filter(([id]) => !requestedIds.has(id) || client.extension(id) !== undefined);
  return declared.length === 0 ? rest : { ...rest, extensions: Object.fromEntries(declared) };
}

/** The handler of `logging/setLevel`, `resources/subscribe` or `resources/unsubscribe`; the latter two when a resource can be watched. */
export function sessionHandler(method: string, runtime: Runtime, session: Session, subscriptions: Subscriptions): CallHandler | undefined {
  const { resources, capabilities } = runtime.server;
  if (!session.revision.methods.has(method)) return undefined;
  if (method === "logging/setLevel") return { run: ({ level }) => setLevel(session, level) };
  if (capabilities.resources?.subscribe !== true) return undefined;
  if (method === "resources/unsubscribe") return { run: ({ uri }) => unsubscribe(session, subscriptions, uri) };
  if (method !== "resources/subscribe") return undefined;
  return {
    async run({ uri }, ctx) {
      findResource(resources, uri);
      const address = String(uri); // findResource has checked that it is a string
      await subscriptions.add(address, (changed) => runtime.watches.watch(address, changed, ctx));
      session.onChange?.((state) => (state.uris.includes(address) ? state : { ...state, uris: [...state.uris, address] }));
      return {};
    },
  };
}

function setLevel(session: Session, level: unknown): Json {
  const minSeverity = severity(levelOf(level));
  session.minSeverity = minSeverity;
  session.onChange?.((state) => ({ ...state, minSeverity }));
  return {};
}

function unsubscribe(session: Session, subscriptions: Subscriptions, uri: unknown): Json {
  if (typeof uri !== "string") throw invalidParams("uri: expected a string");
  subscriptions.remove(uri);
  session.onChange?.((state) => ({ ...state, uris: state.uris.filter((one) => one !== uri) }));
  return {};
}
