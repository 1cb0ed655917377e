// The tool `plan` of the rounds server, round by round, as a client of the newest era goes through it.
import { accept, modelSays, type ScriptedReply } from "../../../testing/src/connection/scripted-user.ts";
import { isObject, type Json } from "../../src/protocol.ts";
import type { LinePeer } from "./line-server.ts";
import { asks } from "./stateless-message.ts";
import { ABLE } from "./talk.ts";

/** What the user and the model reply to `plan`, in order, and what comes of it. */
export const PLAN: ScriptedReply[] = [accept({ word: "Ada" }), accept({ word: "noon" }), accept({ word: "yard" }), modelSays("slowly")];
export const PLANNED = "cake Ada noon yard slowly";

export const PARAMS: Json = { name: "plan", arguments: { what: "cake" } };

/** The input responses of each round. */
export const ANSWERS: readonly Json[] = [
  { "elicit-1": accept({ word: "Ada" }) },
  { "elicit-2": accept({ word: "noon" }) },
  { "elicit-3": accept({ word: "yard" }), "sample-1": modelSays("slowly") },
];

let ids = 0;

export const sendRound = (server: Pick<LinePeer, "request">, params: Json, method = "tools/call"): Promise<Json> =>
  server.request(asks(method, params, { id: ++ids, capabilities: ABLE }));

/** A round that must be served. */
export async function roundResult(server: Pick<LinePeer, "request">, params: Json): Promise<Json> {
  const { result, error } = await sendRound(server, params);
  if (!isObject(result)) throw new Error(`expected a result, came ${JSON.stringify(error)}`);
  return result;
}
