/**
 * Runs on Node for Windows: starts servers, calls their tools and writes the replies. `node caller.ts INPUT OUTPUT`, both files with JSON: a
 * session under each name, and its replies under the same. Without `await using`, which Node 22 does not know.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Client } from "@oarlock/client";

/** One server, and what is called there, one call after the other. */
export interface Session {
  readonly args: readonly string[];
  readonly calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
}

/** The text of a reply, or of the error. The first of a session is the list of tools, or why the server did not start. */
export type Reply = string;

async function play({ args, calls }: Session): Promise<Reply[]> {
  let client: Client | undefined;
  const replies: Reply[] = [];
  try {
    client = await connect({ command: process.execPath, args });
    const names: string[] = [];
    for await (const { name } of client.tools()) names.push(name);
    replies.push(names.join(" "));
    for (const [tool, given] of calls) replies.push(await call(client, tool, given));
  } catch (error) {
    replies.push(String(error));
  } finally {
    await client?.[Symbol.asyncDispose]();
  }
  return replies;
}

async function call(client: Client, tool: string, given: Readonly<Record<string, unknown>>): Promise<Reply> {
  const { content, isError } = await client.call(tool, given);
  return `${isError === true ? "Error: " : ""}${content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n")}`;
}

const [input = "", output = ""] = process.argv.slice(2);
const sessions = JSON.parse(readFileSync(input, "utf8")) as Record<string, Session>; // written by the test
const replies: Record<string, Reply[]> = {};
for (const [name, session] of Object.entries(sessions)) replies[name] = await play(session);
writeFileSync(output, JSON.stringify(replies));
