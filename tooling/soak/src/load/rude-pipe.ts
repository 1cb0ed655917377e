/** Invalid input on stdin: the server answers or ignores it, and serves the next request. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@oarlock/client";
import type { Pipe } from "../pipe.ts";
import type { Works } from "../load-generator.ts";
import { MESSAGE_BYTES } from "../server/fixture.ts";
import { must, succeeds } from "./expect.ts";

export interface Ended {
  client: Client;
  pipe: Pipe;
}

/** The longest line that goes out; those of the domain servers may be longer. */
const TOO_LONG = "x".repeat(MESSAGE_BYTES + 10);

/** Each way leaves a server that answers. */
const spoilt =
  (...lines: (string | Uint8Array)[]) =>
  async ({ client, pipe }: Ended): Promise<void> => {
    for (const line of lines) pipe.write(line);
    await client.request(client.revision < "2026" ? "ping" : "server/discover");
  };

const call = (id: string, name: string, args: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`;

export const RUDE_PIPE: Works<Ended> = {
  "broken JSON": spoilt("{\n", '{"jsonrpc":"2.0",\n', "nonsense\n"),
  "no messages": spoilt("null\n", "1\n", "[]\n", '{"jsonrpc":"1.0","id":1,"method":"ping"}\n', "\n", "\r\n"),
  "not UTF-8": spoilt(new Uint8Array([0x7b, 0xff, 0xfe, 0x0a])),
  "too long a line": spoilt(`${TOO_LONG}\n`),
  "answers to nothing": spoilt('{"jsonrpc":"2.0","id":"never","result":{}}\n', '{"jsonrpc":"2.0","method":"notifications/cancelled"}\n'),
  "byte by byte": async ({ client, pipe }) => {
    for (const byte of Buffer.from('{"jsonrpc":"2.0","method":"notifications/nothing"}\n')) pipe.write(Uint8Array.of(byte));
    await client.request(client.revision < "2026" ? "ping" : "server/discover");
  },
};

/** For the fixture server only, as they need its tools. */
export const RUDE_KIT_PIPE: Works<Ended> = {
  ...RUDE_PIPE,
  "a reader that stops": async ({ client, pipe }) => {
    pipe.read(false);
    const calls = Array.from({ length: 20 }, () => client.call("big", { bytes: 50_000 }));
    await sleep(100);
    pipe.read(true);
    for (const one of calls) must((await succeeds(one)).length === 50_000, "cut");
  },
  "cancelled before it is read": async ({ client, pipe }) => {
    const id = `early ${Math.random()}`;
    const cancel = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    pipe.write(`${call(id, "wait", { ms: 60_000 })}${cancel}\n`);
    await client.request(client.revision < "2026" ? "ping" : "server/discover");
  },
};
