// The transports that negotiation can open to a server.
import type { Transport } from "../connection/transport.ts";

export type EraName = "handshake" | "stateless";

/** A transport for servers of 2024-11-05. */
export interface LegacyTransport extends Transport {
  /** The revision to request. */
  readonly revision: string;
  /** Whether the server has this transport. */
  readonly isSupported: boolean;
}

export interface ServerAccess {
  /** Whether one transport serves both eras, as stdio does. Otherwise each era has a transport of its own, as over HTTP. */
  readonly hasSharedTransport: boolean;
  openStateless(): Transport;
  openSession(): Transport;
  /** The transport to try after a handshake over `openSession` was rejected; undefined if the rejection is final. */
  openLegacy?(rejection: unknown): LegacyTransport | undefined;
  /** Whether negotiation failed because the server process exited: some do so on an unknown first message. */
  hasExited?(error: unknown): Promise<boolean>;
  /** The era that was found on an earlier connection. */
  rememberedEra?(): EraName | undefined;
  /** Remembers the era; undefined forgets it. */
  rememberEra?(era: EraName | undefined): void;
  /** Called when negotiation has succeeded. */
  onNegotiated?(era: EraName): void;
}
