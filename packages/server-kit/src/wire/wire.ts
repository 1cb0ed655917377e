// Wire: a connection that carries messages as text, seen from one of its ends.

/** A connection that carries messages both ways. */
export interface Wire {
  /** Sends one JSON message. */
  send(text: string): void;
  /** Receives messages from the peer. Set it once, before the first message can arrive. */
  onText: ((text: string) => void) | undefined;
  /** Called once when the connection has closed; with an error when neither side closed it on purpose. */
  onClose: ((error?: Error) => void) | undefined;
  /** Closes the connection; resolves when it is closed. */
  close(): Promise<void>;
}
