// A client of the endpoint pair of 2024-11-05: one stream that everything comes by, one address that everything goes to.
import type { Json } from "../../src/protocol.ts";
import type { HttpServer } from "../../src/node.ts";
import type { Answer } from "./answer.ts";
import { HttpPeer, initialize, READY, type Headers } from "./http-talk.ts";

export interface LegacyTalk extends AsyncDisposable {
  readonly stream: Answer;
  /** The address that was announced, and the id in it. */
  readonly path: string;
  readonly id: string;
  post(message: unknown, headers?: Headers): Promise<Answer>;
  /** Sends a request and gives the next message of the stream. */
  request(message: Json): Promise<Json>;
  /** initialize and initialized. */
  handshake(revision?: string, capabilities?: Json): Promise<Json>;
}

export async function openLegacy(http: HttpServer, headers: Headers = {}): Promise<LegacyTalk> {
  const peer = new HttpPeer(http.url, headers);
  const stream = await peer.send("GET", {}, undefined, "/sse");
  const { event, data: path } = await stream.event();
  if (event !== "endpoint") throw new Error(`the first event is ${event}`);
  const post = (message: unknown, more?: Headers): Promise<Answer> => peer.send("POST", { accept: undefined, ...more }, message, path);
  const request = async (message: Json): Promise<Json> => {
    const { status } = await post(message);
    if (status !== 202) throw new Error(`status ${status}`);
    return stream.message();
  };
  return {
    stream,
    path,
    id: new URL(path, http.url).searchParams.get("sessionId") ?? "",
    post,
    request,
    async handshake(revision = "2024-11-05", capabilities = {}) {
      const answer = await request(initialize(revision, capabilities));
      await post(READY);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      stream.drop();
      await stream.closed;
      peer[Symbol.dispose]();
    },
  };
}
