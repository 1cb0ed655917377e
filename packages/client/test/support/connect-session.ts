// For tests of what only sessions have: connects by a handshake, in the newest revision that has one.
import { NEWEST_HANDSHAKE } from "@oarlock/server-kit/protocol";
import { connect as connectAnyhow, type Client, type ConnectOptions } from "@oarlock/client";

export const connect = (to: Parameters<typeof connectAnyhow>[0], options: ConnectOptions = {}): Promise<Client> =>
  connectAnyhow(to, { revision: NEWEST_HANDSHAKE, ...options });
