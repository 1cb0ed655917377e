// `node:child_process` for browsers, where the client reaches no server by a command.

export function spawn(): never {
  throw new Error("Cannot start a command: this page has no processes. Connect to a URL.");
}
