// What passed over a wire, judged by the published schema of its revision; of use where MCP_SCHEMA_DIR says where those are.
import { expect } from "vitest";
import { playTranscript } from "./player/play-transcript.ts";
import { isObject, NEWEST_HANDSHAKE, REVISIONS, type Json, type Wire } from "../../src/protocol.ts";
import { SUBSCRIPTION_ID, VERSION } from "../support/stateless-message.ts";
import type { Conversation } from "./conversations.ts";

/** A wire that keeps every text that passes over it. */
class Recorded implements Wire {
  onText: Wire["onText"];
  onClose: Wire["onClose"];
  readonly sent: string[] = [];
  readonly received: string[] = [];
  readonly #inner: Wire;

  constructor(inner: Wire) {
    this.#inner = inner;
    inner.onText = (text) => {
      this.received.push(text);
      this.onText?.(text);
    };
    inner.onClose = (error) => this.onClose?.(error);
  }

  send(text: string): void {
    this.sent.push(text);
    this.#inner.send(text);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** Plays a conversation in one of its revisions to its end. */
export async function holdConversation({ transcript }: Conversation, revision: string, wire: Wire): Promise<void> {
  const recorded = new Recorded(wire);
  await playTranscript(transcript, recorded, { variables: { revision } });
  if (process.env["MCP_SCHEMA_DIR"] !== undefined) expect(await faultsOf(recorded, revision)).toEqual([]);
}

/**
 * What is wrong with the server's messages by the published schemas: by that of their session's revision, or that of the newest
 * where the request spoke for itself.
 */
async function faultsOf({ sent, received }: Recorded, revision: string): Promise<string[]> {
  // Loaded only where the schemas are.
  const [{ judge }, { published }] = await Promise.all([
    import("../../../../tooling/spec/test/messages.ts"),
    import("../../../../tooling/spec/test/schemas.ts"),
  ]);
  const requests = new Map<unknown, SentRequest>();
  for (const { id, method, params } of sent.flatMap(messages)) {
    if (method !== undefined) requests.set(id, { method: String(method), isStateless: hasEnvelope(params) });
  }
  const [newest = ""] = REVISIONS;
  const own = published(newest);
  // Without a session only pings are answered, which look the same in all of them.
  const session = received.flatMap(messages).find(({ result }) => isObject(result) && "protocolVersion" in result)?.["result"] as
    | Json
    | undefined;
  const otherwise = revision === newest ? NEWEST_HANDSHAKE : revision;
  const ofSession = published(String(session?.["protocolVersion"] ?? otherwise));
  const asked = (id: unknown): string | undefined => requests.get(id)?.method;
  return received.flatMap(messages).flatMap((message) => {
    // Progress and log messages do not name their request.
    const isStateless = message["method"] === undefined ? requests.get(message["id"])?.isStateless : isSubscriptionMessage(message);
    const first = isStateless === true ? own : ofSession;
    const fault = judge(first, message, asked);
    return fault === undefined || (isStateless === undefined && judge(own, message, asked) === undefined) ? [] : [fault];
  });
}

interface SentRequest {
  readonly method: string;
  readonly isStateless: boolean;
}

const hasEnvelope = (params: unknown): boolean => isObject(params) && isObject(params["_meta"]) && VERSION in params["_meta"];

/** True for notifications of a subscription; undefined where the message does not show it. */
const isSubscriptionMessage = ({ params }: Json): true | undefined =>
  isObject(params) && isObject(params["_meta"]) && SUBSCRIPTION_ID in params["_meta"] ? true : undefined;

/** The messages of a text; none when it is not JSON, which the client may send on purpose. */
function messages(text: string): Json[] {
  try {
    return [JSON.parse(text) as unknown].flat().filter(isObject);
  } catch {
    return [];
  }
}
