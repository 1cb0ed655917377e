// Whether a server is at an address: its certificate there has its name.
import { once } from "node:events";
import { connect } from "node:tls";

const TIMEOUT_MS = 5000;

/** Whether the server has one of these addresses. */
export async function isReachedAt(addresses: readonly string[], server: URL): Promise<boolean> {
  if (server.protocol !== "https:") return false;
  for (const address of addresses) if (await hasCertificate(address, server)) return true;
  return false;
}

async function hasCertificate(address: string, { hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: address, port: Number(port || 443), servername: hostname });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return true;
  } catch {
    return false; // another server, or none
  } finally {
    socket.on("error", () => undefined).destroy();
  }
}
