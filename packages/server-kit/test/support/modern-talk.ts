// A conversation of the era without sessions with a server in this process: every request carries its envelope.
import type { Server } from "../../src/index.ts";
import { isObject, type Json } from "../../src/protocol.ts";
import { CAPABILITIES, CLIENT_INFO, NEWEST, VERSION } from "./stateless-message.ts";
import { Talk, type TalkOptions } from "./talk.ts";

interface ModernTalkOptions extends Omit<TalkOptions, "revision" | "ready" | "answers"> {
  /** Default: the client does not name itself. */
  readonly clientInfo?: Json;
}

export class ModernTalk extends Talk {
  readonly #envelope: Json;

  constructor(server: Server, { capabilities = {}, clientInfo, ...options }: ModernTalkOptions = {}) {
    super(server, options);
    this.#envelope = { [VERSION]: NEWEST, [CAPABILITIES]: capabilities, ...(clientInfo && { [CLIENT_INFO]: clientInfo }) };
  }

  /** What stands in `_meta` of the params comes on top of the envelope. */
  override begin(method: string, params: Json = {}, id?: string | number): string | number {
    const meta = isObject(params["_meta"]) ? params["_meta"] : {};
    return super.begin(method, { ...params, _meta: { ...this.#envelope, ...meta } }, id);
  }

  /** Sends a request again with answers to what its last result asked for. */
  retry(method: string, params: Json, asked: Json, inputResponses: Json): Promise<Json> {
    return this.result(method, { ...params, requestState: asked["requestState"], inputResponses });
  }

  /** Messages of one subscription, in order. */
  newsOf(id: string | number): Json[] {
    return this.received.filter(
      ({ params }) => isObject(params) && isObject(params["_meta"]) && Object.values(params["_meta"]).includes(id),
    );
  }
}
