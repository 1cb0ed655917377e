/** POST requests over one kept socket, one after the other. */
import { Agent, request, type IncomingHttpHeaders } from "node:http";

export class Posts implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  send(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<{ text: string; headers: IncomingHttpHeaders }> {
    const all = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: "POST", agent: this.#agent, headers: all }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        answer.on("end", () => resolve({ text, headers: answer.headers }));
      });
      sent.on("error", reject).end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
