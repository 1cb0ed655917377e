/**
 * One keep-alive connection, raw over node:net: no agent and no header objects, since CPU time of the client is missing on the next core, where
 * the server runs. One request at a time.
 */
import { connect, type Socket } from "node:net";
import { header, readAnswer, readHead, type Answer } from "./answer.ts";

type Take = (outcome: Answer | Error) => void;

const PATIENCE_MS = 30_000;

export class Connection {
  readonly #socket: Socket;
  #partial: Buffer | undefined;
  #take: Take | undefined;
  #ended: Error | undefined;
  #next = readAnswer;

  private constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("close", () => this.#end(new Error("the server closed the connection")));
  }

  static async to(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#take = (outcome) => (outcome instanceof Error ? reject(outcome) : undefined);
      connection.#socket.once("connect", () => {
        connection.#take = undefined;
        resolve();
      });
    });
    return connection;
  }

  get open(): boolean {
    return this.#ended === undefined;
  }

  /** Sends a request; `take` gets its answer or an error. Has no timeout. */
  send(request: Buffer, take: Take): void {
    if (this.#ended !== undefined) {
      take(this.#ended);
      return;
    }
    this.#take = take;
    this.#socket.write(request);
  }

  request(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
      this.send(request, (outcome) => {
        clearTimeout(timer);
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  /** Requests a stream: resolves after the response head; later bytes are discarded. */
  async stream(request: Buffer): Promise<void> {
    this.#next = readHead;
    const answer = await this.request(request);
    if (answer.status !== 200 || header(answer, "content-type")?.startsWith("text/event-stream") !== true) {
      throw new Error(`no stream: ${answer.head}`);
    }
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#take === undefined) return; // events of a stream, or bytes without a request
    const bytes = this.#partial === undefined ? chunk : Buffer.concat([this.#partial, chunk]);
    try {
      const read = this.#next(bytes);
      this.#partial = read === undefined ? bytes : read.end < bytes.length ? bytes.subarray(read.end) : undefined;
      if (read !== undefined) this.#give(read.answer);
    } catch (error) {
      this.#give(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #give(outcome: Answer | Error): void {
    const take = this.#take;
    this.#take = undefined;
    take?.(outcome);
  }

  #end(why: Error): void {
    this.#ended ??= why;
    this.#give(this.#ended);
  }
}
