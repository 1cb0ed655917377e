// `@oarlock/domain-kit` for browsers: what the client uses of it to start a server by a command, which a page cannot.

export function programStart(): never {
  throw new Error("Cannot start a command: this page has no processes. Connect to a URL.");
}

export const mergeVariables = programStart;
export const endProgram = programStart;
