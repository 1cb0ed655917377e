/** A caller on a connection of its own: one echo after the other, and each answer compared byte by byte. */
import type { Message } from "../client.ts";
import { quantile, type Figures } from "../figures.ts";
import { echoCall, succeeded, textOf } from "../suites/suite.ts";
import { header, messageText, type Answer } from "./answer.ts";
import { Connection } from "./connection.ts";
import type { Mode } from "./modes.ts";
import { post } from "./request.ts";
import type { HttpServer } from "./server.ts";

const BYTES = 64;

/** Ids of one width, so that the next one can be written over the last. */
const FIRST_ID = 1_000_000;

export class Lane {
  readonly #connection: Connection;
  readonly #request: Buffer;
  readonly #requestId: number;
  /** The message that the next answer has to carry. */
  readonly #expected: Buffer;
  readonly #expectedId: number;
  #id = FIRST_ID;

  private constructor(connection: Connection, request: Buffer, expected: string) {
    this.#connection = connection;
    this.#request = request;
    this.#requestId = request.lastIndexOf(String(FIRST_ID));
    this.#expected = Buffer.from(expected);
    this.#expectedId = this.#expected.indexOf(String(FIRST_ID));
  }

  /** Connects and makes a first call; all later answers must equal its answer except for the id. Throws if the first answer is wrong. */
  static async open({ port }: HttpServer, mode: Mode, eitherWay = false): Promise<Lane> {
    const connection = await Connection.to(port);
    const headers = await mode.enter(connection, port);
    const call = echoCall(BYTES);
    const params = { ...mode.params, ...call };
    // The id comes last, where it is found without a look at what stands before.
    const request = post(port, { jsonrpc: "2.0", method: "tools/call", params, id: FIRST_ID }, headers);
    const answer = await connection.request(request);
    const text = messageText(answer.body);
    if (answer.status !== 200 || text === "") throw new Error(`refused: ${answer.head} ${answer.body.toString().slice(0, 200)}`);
    const message = succeeded(JSON.parse(text) as Message); // looked at member by member
    if (textOf(message) !== call.arguments.message || message.id !== FIRST_ID) throw new Error("the echo is not the message");
    const type = header(answer, "content-type") ?? "no content type";
    if (!eitherWay && !type.startsWith(mode.type)) throw new Error(`answered with ${type} instead of ${mode.type}`);
    return new Lane(connection, request, text);
  }

  /** Calls until the time `stopAt`; adds the milliseconds that each answer took to `times`. */
  run(stopAt: number, times: number[]): Promise<void> {
    return new Promise((resolve, reject) => {
      let from = performance.now();
      const take = (outcome: Answer | Error): void => {
        const now = performance.now();
        if (outcome instanceof Error || outcome.status !== 200 || !outcome.body.includes(this.#expected)) {
          reject(
            outcome instanceof Error ? outcome : new Error(`a wrong answer: ${outcome.head} ${outcome.body.toString().slice(0, 200)}`),
          );
          return;
        }
        times.push(now - from);
        if (now >= stopAt) {
          resolve();
          return;
        }
        from = now;
        this.#call(take);
      };
      this.#call(take);
    });
  }

  end(): void {
    this.#connection.end();
  }

  #call(take: (outcome: Answer | Error) => void): void {
    const id = String(++this.#id);
    this.#request.write(id, this.#requestId, "latin1");
    this.#expected.write(id, this.#expectedId, "latin1");
    this.#connection.send(this.#request, take);
  }
}

/** Lets lanes call side by side for so long, and closes them. */
export async function flood(lanes: readonly Lane[], ms: number): Promise<{ times: number[]; ms: number }> {
  try {
    const times: number[] = [];
    const from = performance.now();
    await Promise.all(lanes.map((lane) => lane.run(from + ms, times)));
    return { times, ms: performance.now() - from };
  } finally {
    for (const lane of lanes) lane.end();
  }
}

/** Calls a second and the times of a call. */
export const figuresOfCalls = (label: string, { times, ms }: { times: readonly number[]; ms: number }): Figures => ({
  [`${label} rps`]: (times.length / ms) * 1000,
  [`${label} p50 us`]: quantile(times, 0.5) * 1000,
  [`${label} p99 us`]: quantile(times, 0.99) * 1000,
});
