/** Clients as they are opened here: the person accepts, faults of the other side are loud. */
import { connect, type Client, type ConnectOptions } from "@oarlock/client";
import type { Wire } from "@oarlock/server-kit/protocol";

export const STATEFUL = "2025-11-25";
export const MODERN = "2026-07-28";
export const OLDEST = "2024-11-05";

const OPTIONS: ConnectOptions = {
  elicit: () => ({ action: "accept", content: { token: "yes" } }),
  cache: false,
};

export const onPipe = (wire: Wire, revision: string): Promise<Client> => connect(wire, { ...OPTIONS, revision });

/** `keepAlive`: sockets are used again, and stay for half a minute after the last use. */
export const overHttp = (url: string, revision: string, keepAlive: boolean): Promise<Client> =>
  connect({ url, ...(!keepAlive && { headers: { connection: "close" } }) }, { ...OPTIONS, revision });
