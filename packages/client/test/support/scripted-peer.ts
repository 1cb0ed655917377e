// The server end of a wire, controlled by the test: it receives each message of the client and sends any message.
import type { Json, Wire } from "@oarlock/server-kit/protocol";
import type { Client, ConnectOptions } from "@oarlock/client";
import { connect } from "./connect-session.ts";

export class ScriptedPeer {
  readonly wire: Wire;
  /** All that the client wrote. */
  readonly received: Json[] = [];
  closed = false;
  #taken = 0;
  #waiting: (() => void) | undefined;

  constructor() {
    this.wire = {
      onText: undefined,
      onClose: undefined,
      send: (text) => {
        this.received.push(JSON.parse(text));
        this.#waiting?.();
      },
      close: async () => {
        this.closed = true;
        this.wire.onClose?.();
      },
    };
  }

  send(message: unknown): void {
    this.wire.onText?.(typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...(message as Json) }));
  }

  /** The next message of the client. */
  async next(): Promise<Json> {
    while (this.received.length === this.#taken) await new Promise<void>((resolve) => (this.#waiting = resolve));
    return this.received[this.#taken++]!;
  }

  /** The next message must be a request of this method; answers it with this result. */
  async answer(method: string, result: Json): Promise<Json> {
    const request = await this.next();
    if (request.method !== method) throw new Error(`expected ${method}, came ${JSON.stringify(request)}`);
    this.send({ id: request.id, result });
    return request;
  }

  /** Asks the client; gives its answer. */
  async request(id: string | number, method: string, params?: Json): Promise<Json> {
    this.send({ id, method, ...(params !== undefined && { params }) });
    return this.next();
  }
}

export const ALL: Json = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** A client that has shaken hands with a played server. */
export async function connectSession(options: ConnectOptions = {}, answer: Json = {}): Promise<{ peer: ScriptedPeer; client: Client }> {
  const peer = new ScriptedPeer();
  const connecting = connect(peer.wire, options);
  const result = {
    protocolVersion: options.revision ?? "2025-11-25",
    capabilities: ALL,
    serverInfo: { name: "played", version: "1" },
    ...answer,
  };
  await peer.answer("initialize", result);
  const client = await connecting;
  await peer.next(); // initialized
  return { peer, client };
}

/** What a promise is rejected with; taken at once, so that it may be looked at later. */
export function failure(asked: Promise<unknown>): Promise<Error> {
  return asked.then(
    (value) => {
      throw new TypeError(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: Error) => error,
  );
}
