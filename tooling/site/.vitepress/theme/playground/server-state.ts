// What the page knows of the running server, and what the user can do with it.
import { reactive } from "vue";
import type { Offer, Elicitation, ElicitationAnswer, ServerEvent, UserRequest, WireEntry } from "../../../src/playground/messages.ts";
import { WorkerLink } from "./worker-link.ts";

/** A server with endless progress must not fill the page. */
const MAX_ENTRIES = 300;

export interface ServerState {
  /** One sentence. */
  status: string;
  isRunning: boolean;
  offer: Offer | undefined;
  entries: WireEntry[];
  /** Entries before those of the last request. */
  entriesBefore: number;
  result: string;
  problem: string;
  log: string[];
  elicitation: Elicitation | undefined;
}

const stopped = (): ServerState => ({
  status: "Not running.",
  isRunning: false,
  offer: undefined,
  entries: [],
  entriesBefore: 0,
  result: "",
  problem: "",
  log: [],
  elicitation: undefined,
});

export class PlaygroundServer {
  readonly state: ServerState = reactive(stopped());
  #link: WorkerLink | undefined;
  #firstRequest: UserRequest | undefined;

  /** Starts the code in place of the server that runs, and sends the request once it is connected. */
  run(code: string, revision: string, request: UserRequest): void {
    this.#link?.stop();
    Object.assign(this.state, { ...stopped(), isRunning: true, status: "Starting…" });
    this.#firstRequest = request;
    const link = new WorkerLink(
      (message) => this.#receive(message),
      (reason) => this.#fail(reason),
    );
    this.#link = link;
    link.send({ kind: "run", code, revision });
  }

  send(request: UserRequest): void {
    Object.assign(this.state, { result: "", problem: "", elicitation: undefined, entriesBefore: this.state.entries.length });
    this.#link?.send({ kind: "send", request });
  }

  answer(answer: ElicitationAnswer): void {
    const { elicitation } = this.state;
    if (elicitation !== undefined) this.#link?.send({ kind: "answer", id: elicitation.id, answer });
    this.state.elicitation = undefined;
  }

  stop(): void {
    this.#link?.stop();
    this.#link = undefined;
    Object.assign(this.state, { isRunning: false, elicitation: undefined, status: "Stopped." });
  }

  #receive(message: ServerEvent): void {
    const { state } = this;
    switch (message.kind) {
      case "wire":
        state.entries.push(message.entry);
        if (state.entries.length > MAX_ENTRIES) state.entries.shift();
        return;
      case "connected":
        state.offer = message.offer;
        state.status = `Running ${message.server} in revision ${message.revision}.`;
        if (this.#firstRequest !== undefined) this.send(this.#firstRequest);
        return;
      case "elicitation":
        state.elicitation = message.elicitation;
        return;
      case "result":
        state.result = message.text;
        return;
      case "log":
        state.log.push(message.text);
        return;
      case "failed":
        if (state.offer === undefined) this.#fail(message.message);
        else state.problem = message.message;
    }
  }

  #fail(reason: string): void {
    this.stop();
    this.state.problem = reason;
  }
}
