// Which of the transports over HTTP a server has, and which era it speaks: asked from the newest on.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#backward-compatibility
import { McpError } from "@oarlock/server-kit/protocol";
import type { Client } from "../../client.ts";
import type { Plan } from "../../connect.ts";
import { HandshakeFailed, HttpRefused } from "../../errors.ts";
import { meetByHandshake } from "../../handshake/initialize.ts";
import { Meeting } from "../../connection/connection.ts";
import type { ConnectOptions } from "../../options.ts";
import { discover, meetAlone } from "../../stateless/start-stateless.ts";
import { isModern } from "../../negotiation/discovery.ts";
import { Alone } from "./stateless-http.ts";
import type { Door } from "./http-endpoint.ts";
import { OLD_PAIR_REVISION, OldPair } from "../legacy-sse/legacy-sse.ts";
import { Streamable } from "./streamable-http.ts";

type Eras = NonNullable<ConnectOptions["eras"]>;

/** What is known of the servers that this process has met. */
const MET: Eras = new Map();
const MOST_KNOWN = 10_000;

export async function connectHttp(door: Door, { ours, handshake, only }: Plan, options: ConnectOptions): Promise<Client> {
  if (only && handshake !== undefined) return byHandshake(door, handshake, options);
  const { eras = MET, known } = options;
  const at = `${door.url.origin}${door.url.pathname}`;
  const wasOld = handshake !== undefined && known === undefined && eras.get(at) === "handshake";
  // What was known may have become wrong: then it is asked as if nothing were known.
  const again = wasOld && (await byHandshake(door, handshake, options).catch((error: unknown) => keepUnlessRefused(error, options)));
  if (again) return again;
  const wire = new Alone(door, options);
  const meeting = new Meeting(wire, ours[0] ?? "", options);
  if (known !== undefined) return meetAlone(meeting, known);
  try {
    const found = await discover(meeting, ours);
    if (eras.size >= MOST_KNOWN) eras.clear();
    eras.set(at, found.era);
    if (found.era === "stateless") return await meetAlone(meeting, found.agreed);
    if (handshake === undefined) throw new HandshakeFailed(`The server does not speak ${ours.join(", ")}: ${found.why.message}`);
  } catch (error) {
    throw await meeting.fail(error);
  }
  await meeting.link.close();
  return byHandshake(door, handshake, options).catch((error: unknown) => {
    eras.delete(at);
    throw error;
  });
}

/** Only a refusal can mean that the server has changed. */
function keepUnlessRefused(error: unknown, { signal }: ConnectOptions): undefined {
  const refused = error instanceof HandshakeFailed || error instanceof McpError || (error instanceof HttpRefused && error.status < 500);
  if (!refused || signal?.aborted === true) throw error;
}

/** Servers from before Streamable HTTP refuse the first POST in one of these ways. */
const OLD_SERVER = [400, 404, 405];

async function byHandshake(door: Door, revision: string, options: ConnectOptions): Promise<Client> {
  try {
    return await meetByHandshake(new Meeting(new Streamable(door, options), revision, options), revision);
  } catch (refused) {
    if (!(refused instanceof HttpRefused) || !OLD_SERVER.includes(refused.status) || isModern(refused)) throw refused;
    const pair = new OldPair(door, options);
    return await meetByHandshake(new Meeting(pair, OLD_PAIR_REVISION, options), OLD_PAIR_REVISION).catch((error: unknown) => {
      // If it is no old server either, its first refusal says more.
      throw pair.found || options.signal?.aborted === true ? error : refused;
    });
  }
}
