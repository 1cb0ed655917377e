/** Sends the request of the command line's README, which it shows as a curl command, to the example of that page. */
import { nodeProgram, startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { expect, test } from "vitest";
import { exampleFile } from "../src/examples.ts";
import { allBlocks } from "./read-blocks.ts";

const README = "packages/cli/README.md";

/** The parts of `curl URL -H 'NAME: VALUE' … -d 'BODY'`. */
function requestOf(command: string): { url: string; headers: [string, string][]; body: string } {
  const headers = [...command.matchAll(/-H '([^:']+): ([^']+)'/g)].map(([, name = "", value = ""]): [string, string] => [name, value]);
  return { url: /https?:\S+/.exec(command)?.[0] ?? "", headers, body: /-d '([^']+)'/.exec(command)?.[1] ?? "" };
}

test("answers the request of the README as shown there, without a session", async () => {
  const [command = ""] = allBlocks().flatMap(({ file, text }) => (file === README && text.startsWith("curl ") ? [text] : []));
  const { url, headers, body } = requestOf(command);
  expect(url).toBe("http://127.0.0.1:3920/mcp");

  await using server = await startOverHttp(nodeProgram(["--conditions=oarlock-source", exampleFile("command-line")]));
  const send = (sent: [string, string][]): Promise<Response> => fetch(server.url, { method: "POST", headers: sent, body });
  const response = await send(headers);
  expect([response.status, response.headers.get("mcp-session-id")]).toEqual([200, null]);
  expect(await response.text()).toContain('"content":[{"type":"text","text":"Hello, Ada!"}]');
  // A client may leave out Accept; this server needs the other headers.
  const needed = headers.filter(([name]) => name !== "Accept");
  expect(needed).toHaveLength(4);
  for (const [name] of needed) expect([name, (await send(headers.filter(([other]) => other !== name))).ok]).toEqual([name, false]);
});
