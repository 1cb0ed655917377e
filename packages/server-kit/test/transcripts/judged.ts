// What passed over a wire, judged by the published schema of its revision; of use where MCP_SCHEMA_DIR says where those are.
import type { Published } from "../../../../tooling/spec/test/schemas.ts";
import { isObject, NEWEST_HANDSHAKE, REVISIONS, type Json, type Wire } from "../../src/protocol.ts";
import { SUBSCRIPTION_ID, VERSION } from "../support/stateless-message.ts";

/** A wire that keeps every text that passes over it. */
export class Recorded implements Wire {
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

/**
 * What is wrong with the server's messages by the schemas in `directory`: by that of their session's revision, or that of the
 * newest where the request spoke for itself.
 */
export async function faultsOf({ sent, received }: Recorded, revision: string, directory: string): Promise<string[]> {
  const { judge } = await import("../../../../tooling/spec/test/messages.ts");
  const requests = new Map<unknown, SentRequest>();
  for (const { id, method, params } of sent.flatMap(messages)) {
    if (method !== undefined) requests.set(id, { method: String(method), isStateless: hasEnvelope(params) });
  }
  const [newest = ""] = REVISIONS;
  const own = await schemaOf(newest, directory);
  // Without a session only pings are answered, which look the same in all of them.
  const session = received.flatMap(messages).find(({ result }) => isObject(result) && "protocolVersion" in result)?.["result"] as
    | Json
    | undefined;
  const otherwise = revision === newest ? NEWEST_HANDSHAKE : revision;
  const ofSession = await schemaOf(String(session?.["protocolVersion"] ?? otherwise), directory);
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

const schemas = new Map<string, Promise<Published>>();

/** Read and compiled once for all conversations. */
function schemaOf(revision: string, directory: string): Promise<Published> {
  const known =
    schemas.get(revision) ?? import("../../../../tooling/spec/test/schemas.ts").then(({ published }) => published(revision, directory));
  schemas.set(revision, known);
  return known;
}

/** The messages of a text; none when it is not JSON, which the client may send on purpose. */
function messages(text: string): Json[] {
  try {
    return [JSON.parse(text) as unknown].flat().filter(isObject);
  } catch {
    return [];
  }
}
