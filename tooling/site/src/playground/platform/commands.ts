// `node:child_process` and `@oarlock/domain-kit` for browsers: what the client uses of them to start a server by a command.

function fail(): never {
  throw new Error("Cannot start a command: this page has no processes. Connect to a URL.");
}

export { fail as endProgram, fail as mergeVariables, fail as programStart, fail as spawn };
