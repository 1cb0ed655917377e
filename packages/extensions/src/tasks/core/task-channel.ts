// TaskChannel: where the messages of a core task go. Client requests wait for a `tasks/result`, on whose stream they are sent;
// notifications go there or to the session.
import type { Auth } from "@oarlock/server-kit";
import type { Channel, ExtensionContext } from "@oarlock/server-kit/extension";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { RELATED_TASK } from "./core-messages.ts";

export class TaskChannel implements Channel {
  readonly auth: Auth | undefined;
  readonly #id: string;
  readonly #creator: ExtensionContext;
  readonly #waiting: string[] = [];
  readonly #relay: ((text: string) => void) | undefined;
  #reader: ExtensionContext | undefined;

  /** `creator`: the request that created the task. `relay` takes what waits to readers in other processes. */
  constructor(id: string, creator: ExtensionContext, relay?: (text: string) => void) {
    this.#id = id;
    this.#creator = creator;
    this.#relay = relay;
    this.auth = creator.auth;
  }

  notify(text: string): void {
    const message = this.#related(JSON.parse(text) as Json); // written by this kit
    const related = JSON.stringify(message);
    if (this.#reader !== undefined) this.#reader.send(related);
    else if (message.id !== undefined) this.#wait(related);
    else this.#creator.notifySession(related);
  }

  #wait(text: string): void {
    this.#waiting.push(text);
    this.#relay?.(text);
  }

  #related(message: Json): Json {
    const params = isObject(message.params) ? message.params : {};
    const _meta = { ...(isObject(params._meta) ? params._meta : {}), [RELATED_TASK]: { taskId: this.#id } };
    return { ...message, params: { ...params, _meta } };
  }

  /** The task ends in the store, not by a response. */
  complete(): void {}

  refuse(): void {}

  /** Sends what waits, and what follows, on the stream of a `tasks/result`. */
  attach(reader: ExtensionContext): void {
    this.#reader = reader;
    for (const text of this.#waiting.splice(0)) reader.send(text);
  }

  release(reader: ExtensionContext): void {
    if (this.#reader === reader) this.#reader = undefined;
  }
}
