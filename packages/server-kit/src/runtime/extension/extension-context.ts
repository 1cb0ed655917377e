// ExtensionContext: a request as the handlers of extensions get it. Its handler may go on after the response.
import type { InteractiveContext } from "../../features/context.ts";
import type { DeliverInputRequest } from "../../peer/input-requests.ts";
import type { Revision } from "../../revisions/index.ts";
import type { RequestAborted } from "../request/abort.ts";
import type { Channel } from "../request/channel.ts";
import type { RequestEnd } from "../request/observer.ts";
import type { CallHandler } from "../request/request-handler.ts";

/** A request, for the handlers of extensions: the context of its own handler, and what makes that handler outlive the response. */
export interface ExtensionContext extends InteractiveContext {
  readonly method: string;
  readonly revision: Revision;
  /** The handler that runs it. */
  readonly handler: CallHandler;
  /** Answered or cancelled: nothing more may be sent for this request. */
  readonly isDone: boolean;
  /** The request ends with input requests, and the client sends it again with the responses (stateless era). */
  readonly awaitsInput: boolean;
  /** Whether the request may change something. */
  readonly mayChange: boolean;
  /** Names the session beyond this process; undefined where only this one serves it. */
  readonly sessionKey: string | undefined;
  /** Called when the number of client requests without a response changes. */
  onPendingClientRequests: ((pending: number) => void) | undefined;
  /** Sends a message before the response. */
  send(text: string): void;
  /** Sends a message that belongs to no request, on the standing channel of the session. The stateless era has none. */
  notifySession(text: string): void;
  /** Lets the handler go on after its request is answered. `deliver` takes its further input requests (stateless era). */
  detach(deliver: DeliverInputRequest): void;
  /** Takes `detach` back: the handler ends with its request. */
  attach(): void;
  /** The context of the same request with a channel of its own, for a handler that goes on after the response. It is observed from now on. */
  fork(channel: Channel): ExtensionContext;
  /** Takes the observation over, for what goes on after the response. Undefined where there is none, or it has ended. */
  takeObservation(): ((end: RequestEnd) => void) | undefined;
  /** Aborts the handler. */
  abort(reason: RequestAborted): void;
  /** Ends the request: nothing more is sent for it. */
  finish(): void;
}
