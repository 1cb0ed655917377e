/** Names the kinds of errors that clients report, so that a table can count them. */

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/node that ran this/i, "node gone"],
  [/\b404\b|session (not found|unknown|has ended)|no such session/i, "404 session"],
  [/\b502\b/, "502"],
  [/\b503\b|shutting down/i, "503"],
  [/\b429\b/, "429"],
  [/\b409\b/, "409"],
  [/fetch failed|terminated|ECONNRESET|other side closed|socket|InterruptedError|ECONNREFUSED/i, "reset"],
  [/timed out|timeout|-32001/i, "timeout"],
  [/ConnectionClosed|Connection closed/i, "closed"],
];

const KEPT_CHARACTERS = 80;

export const describeError = (message: string): string =>
  KINDS.find(([pattern]) => pattern.test(message))?.[1] ?? message.slice(0, KEPT_CHARACTERS);
