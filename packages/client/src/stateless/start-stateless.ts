// Starts the stateless era on a connection, once negotiation has found that the server supports it.
import { Client } from "../client.ts";
import type { ClientConnection } from "../connection/client-connection.ts";
import type { NegotiatedServer } from "../era.ts";
import { StatelessEra } from "./stateless-era.ts";

export async function startStateless(connection: ClientConnection, server: NegotiatedServer): Promise<Client> {
  connection.useRevision(server.revision);
  const era = new StatelessEra(connection, server.revision);
  await era.subscribeToLists(server);
  connection.startKeepAlive((timeoutMs) => era.ping({ timeoutMs }));
  return new Client(server, connection, era);
}
