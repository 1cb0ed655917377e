/** Raw HTTP, for requests that no client library would send. Each request has its own socket. */
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { must, SOON_MS, within } from "./expect.ts";

export interface Sent {
  request: ClientRequest;
  answer: Promise<IncomingMessage>;
}

export interface Order {
  method?: string;
  headers?: Record<string, string | number>;
  body?: string;
  /** Leaves the request open: less is sent than was announced. */
  open?: boolean;
}

export function begin(url: string, { method = "POST", headers = {}, body, open = false }: Order): Sent {
  const accept = method === "GET" ? "text/event-stream" : "application/json, text/event-stream";
  const all = { accept, ...(body !== undefined && { "content-type": "application/json" }), ...headers };
  const sent = request(url, { method, headers: all, agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on("response", resolve).on("error", reject));
  answer.catch(() => undefined); // reported by the promise that is awaited
  if (open) sent.write(body ?? "");
  else sent.end(body);
  return { request: sent, answer };
}

/** The status and the whole text. */
export async function exchange(url: string, order: Order): Promise<{ status: number; text: string; headers: IncomingMessage["headers"] }> {
  const answer = await within(SOON_MS, "an answer", begin(url, order).answer);
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
  return { status: answer.statusCode ?? 0, text, headers: answer.headers };
}

export async function refused(url: string, order: Order, ...statuses: number[]): Promise<void> {
  const { status, text } = await exchange(url, order);
  must(statuses.includes(status), `answered with ${status} instead of ${statuses.join(" or ")}: ${text.slice(0, 200)}`);
}

/** Reads until the received text fits; later bytes stay unread. */
export function until(answer: IncomingMessage, fits: (text: string) => boolean): Promise<string> {
  const came = new Promise<string>((resolve, reject) => {
    let text = "";
    answer.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (fits(text)) resolve(text);
    });
    answer.on("close", () => reject(new Error(`the stream ended with ${JSON.stringify(text.slice(-200))}`)));
    answer.on("error", () => undefined);
  });
  return within(SOON_MS, "an event", came);
}
