// HostPort: JSON-RPC between a view and its host by postMessage.
// https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

interface Message extends JsonObject {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: JsonObject;
  result?: JsonObject;
  error?: { code: number; message: string };
}

/** Handles a request or notification of the host. `undefined` for a request: the method is unknown. */
export type HandleMessage = (method: string, params: JsonObject) => Promise<JsonObject | undefined>;

interface Pending {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

export class HostPort {
  readonly #pending = new Map<number | string, Pending>();
  #lastId = 0;

  /** Messages that are not from the parent window are ignored. */
  constructor(handle: HandleMessage) {
    addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
      if (source === parent && isMessage(data)) void this.#receive(data, handle);
    });
  }

  notify(method: string, params: JsonObject = {}): void {
    this.#post({ jsonrpc: "2.0", method, params });
  }

  /** Sends a request. Rejects with an Error when the host answers with an error. */
  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = ++this.#lastId;
    return await new Promise<JsonObject>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ jsonrpc: "2.0", id, method, params });
    });
  }

  async #receive({ id, method, params = {}, result, error }: Message, handle: HandleMessage): Promise<void> {
    if (method === undefined) return this.#settle(id, result, error);
    try {
      const answer = await handle(method, params);
      if (id === undefined) return;
      if (answer === undefined) this.#post({ jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
      else this.#post({ jsonrpc: "2.0", id, result: answer });
    } catch (thrown) {
      if (id !== undefined) this.#post({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: String(thrown) } });
      else throw thrown;
    }
  }

  #settle(id: number | string | undefined, result: JsonObject = {}, error?: { message: string }): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) return;
    this.#pending.delete(id);
    if (error === undefined) pending.resolve(result);
    else pending.reject(new Error(error.message));
  }

  #post(message: Message): void {
    parent.postMessage(message, "*"); // the origin of the host is unknown; the sandbox lets only the host receive it
  }
}

const isMessage = (data: unknown): data is Message =>
  typeof data === "object" && data !== null && (data as JsonObject)["jsonrpc"] === "2.0";
