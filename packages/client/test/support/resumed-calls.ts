// Calls whose streams end before their response, and go on by GET.
import type { ServerResponse } from "node:http";
import type { Progress } from "@oarlock/client";
import { connect } from "./connect-session.ts";
import { ScriptedHttpServer, type Seen } from "./scripted-http-server.ts";

export const RESULT = { content: [], ok: true };

/** A server whose call is answered by one of these after the other: the POST by the first, each GET by the next. */
export async function scripted(...steps: ((response: ServerResponse, id: unknown) => void)[]): Promise<ScriptedHttpServer> {
  let id: unknown;
  return ScriptedHttpServer.start(({ http, message, headers }, response) => {
    const called = message.method === "tools/call";
    if (called) id = message.id;
    if (!called && !(http === "GET" && "last-event-id" in headers)) return false;
    const step = steps.shift();
    if (step === undefined) response.writeHead(500).end("the script is over");
    else step(response, id);
    return true;
  });
}

export async function called(server: ScriptedHttpServer): Promise<{ result: unknown; heard: number[]; faults: string[]; gets: Seen[] }> {
  const heard: number[] = [];
  const faults: string[] = [];
  await using client = await connect(server, { onFault: (what) => faults.push(what) });
  const onProgress = ({ progress: step }: Progress): unknown => heard.push(step);
  const result = await client.request("tools/call", { name: "x" }, { onProgress }).catch((error: unknown) => error);
  return { result, heard, faults, gets: server.of("GET").filter(({ headers }) => "last-event-id" in headers) };
}
