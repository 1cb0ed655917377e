// The contract between the endpoint and the transports to its left.

/** Where the messages that belong to one request go: a pipe, one JSON body, one event stream. Texts are single JSON messages. */
export interface Channel {
  /** The answer, which ends the request; undefined ends it without one (cancelled). */
  end(text: string | undefined): void;
  /** Something on the way to the answer: progress, a log entry, a question. */
  note(text: string): void;
}
