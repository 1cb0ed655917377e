// The methods that only the handshake era has; each works on the session that initialize opened.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
import { levelOf, severity } from "../features/logging.ts";
import { findResource } from "../features/resources.ts";
import type { Subscriptions } from "../features/subscriptions.ts";
import type { Session } from "../peer/session.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Server } from "./define.ts";
import type { CallHandler } from "./dispatch.ts";

/** The answer to `initialize`, before the revision's own words. */
export function initializeResult(server: Server, session: Session): Json {
  const { instructions } = server.spec;
  return {
    protocolVersion: session.revision.id,
    capabilities: server.capabilities,
    serverInfo: server.info,
    ...(instructions !== undefined && { instructions }),
  };
}

/** `logging/setLevel`, and (un)subscribing where something can be watched. */
export function sessionHandlers(server: Server, session: Session, subscriptions: Subscriptions): ReadonlyMap<string, CallHandler> {
  const rows = new Map<string, CallHandler>();
  rows.set("logging/setLevel", {
    run({ level }) {
      session.minSeverity = severity(levelOf(level));
      return {};
    },
  });
  if (server.capabilities.resources?.subscribe === true) {
    rows.set("resources/subscribe", {
      async run({ uri }, ctx) {
        const { definition, variables } = findResource(server.resources, uri);
        const address = String(uri); // a string: findResource has looked
        await subscriptions.add(address, (changed) => definition.watch(variables, changed, ctx, address));
        return {};
      },
    });
    rows.set("resources/unsubscribe", {
      run({ uri }) {
        if (typeof uri !== "string") throw invalidParams("uri: expected a string");
        subscriptions.remove(uri);
        return {};
      },
    });
  }
  return rows;
}
