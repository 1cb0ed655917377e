// The request handlers that only the handshake era has; each works on the session that `initialize` opened.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
import { levelOf, severity } from "../features/logging.ts";
import { findResource } from "../features/resources/resource-requests.ts";
import type { Subscriptions } from "../features/resources/subscriptions.ts";
import type { Session } from "../peer/session.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { Server } from "./define.ts";
import type { CallHandler } from "./request/request-handler.ts";

/** The result of `initialize` as text. */
export function initializeText(server: Server, { revision }: Session): string {
  const { instructions } = server.spec;
  const result = {
    protocolVersion: revision.id,
    capabilities: server.capabilities,
    serverInfo: server.info,
    ...(instructions !== undefined && { instructions }),
  };
  return JSON.stringify(revision.encodeResult("initialize", result));
}

/** Handlers of `logging/setLevel`, and of subscriptions when a resource can be watched. */
export function sessionHandlers(server: Server, session: Session, subscriptions: Subscriptions): ReadonlyMap<string, CallHandler> {
  const handlers = new Map<string, CallHandler>();
  handlers.set("logging/setLevel", {
    run({ level }) {
      session.minSeverity = severity(levelOf(level));
      return {};
    },
  });
  if (server.capabilities.resources?.subscribe === true) {
    handlers.set("resources/subscribe", {
      async run({ uri }, ctx) {
        const { definition, variables } = findResource(server.resources, uri);
        const address = String(uri); // findResource has checked that it is a string
        await subscriptions.add(address, (changed) => definition.watch(variables, changed, ctx, address));
        return {};
      },
    });
    handlers.set("resources/unsubscribe", {
      run({ uri }) {
        if (typeof uri !== "string") throw invalidParams("uri: expected a string");
        subscriptions.remove(uri);
        return {};
      },
    });
  }
  return handlers;
}
