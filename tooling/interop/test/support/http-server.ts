// A server over HTTP for one client of another library.
import { startOverHttp, type ListeningServer } from "@oarlock-tooling/test-support/server-process";
import type { Program } from "./built-server.ts";
import type { ClientTransport } from "./client-transport.ts";

/** By a transport of its own to a server of its own. */
export async function overNetwork<Transport>(
  program: Program,
  connect: (listening: ListeningServer) => Transport,
): Promise<ClientTransport<Transport>> {
  const listening = await startOverHttp(program);
  return {
    transport: connect(listening),
    enter: () => () => listening.terminate(),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
