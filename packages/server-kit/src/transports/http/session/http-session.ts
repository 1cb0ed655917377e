// HttpSession: a session of one process.
import type { Connection } from "../../../runtime/connection.ts";
import type { HostedSession } from "../endpoints.ts";
import type { SessionStreams } from "./session-streams.ts";

export class HttpSession implements HostedSession {
  readonly id: string;
  readonly principal: string | undefined;
  readonly connection: Connection;
  readonly streams: SessionStreams;
  /** By `performance.now()`. */
  lastUsedAt = performance.now();

  constructor(id: string, principal: string | undefined, connection: Connection, streams: SessionStreams) {
    this.id = id;
    this.principal = principal;
    this.connection = connection;
    this.streams = streams;
  }

  get streamCount(): number {
    return this.streams.connectedCount;
  }
}
