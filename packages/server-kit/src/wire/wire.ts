// What every transport is, seen from either end: whole messages as text, and nothing else.

/** What carries whole messages both ways. */
export interface Wire {
  /** Sends one JSON message. */
  send(text: string): void;
  /** Where messages from the other side go; set once, before the first one can come. */
  onText: ((text: string) => void) | undefined;
  /** Called once, when nothing more will come; with the reason when it was not asked for. */
  onClose: ((error?: Error) => void) | undefined;
  /** Ends the connection calmly; resolves when it is gone. */
  close(): Promise<void>;
}
