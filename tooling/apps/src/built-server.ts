// A built server of this repository, listening on loopback.
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { nodeProgram, startOverHttp, type ListeningServer } from "@oarlock-tooling/test-support/server-process";

export const startBuiltServer = (server: string, args: readonly string[], env: Record<string, string> = {}): Promise<ListeningServer> =>
  startOverHttp(nodeProgram(builtServer(server, ...args), env));
