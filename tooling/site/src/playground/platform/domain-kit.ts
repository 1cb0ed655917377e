// `@oarlock/domain-kit` for browsers: what the client uses of it to start a server by a command, which a page cannot.

export const programStart = (): never => fail();
export const mergeVariables = (): never => fail();
export const endProgram = (): never => fail();

function fail(): never {
  throw new Error("Cannot start a command: this page has no processes. Connect to a URL.");
}
