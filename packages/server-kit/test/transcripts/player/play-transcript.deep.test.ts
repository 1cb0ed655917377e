// Transcripts played with a server process.
import { expect, test } from "vitest";
import { spawnServer } from "../../../../client/src/transports/stdio/server-process.ts";
import { nodeCommand } from "../../../../testing/src/process/node-command.ts";
import { playTranscript } from "./play-transcript.ts";
import { parseTranscript } from "./transcript.ts";

const HELLO = `→ {"jsonrpc":"2.0","id":0,"method":"initialize",
   "params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
← {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"sample","version":"1"},"capabilities":"<any>"}}
→ {"jsonrpc":"2.0","method":"notifications/initialized"}
→ {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":"p"}}}
← {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
← {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":"<number>"}}
← {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"<string>"}]}}
`;

test("plays a matching conversation over stdio", async () => {
  const server = spawnServer(nodeCommand(new URL("../../../../testing/test/fixtures/sample-stdio.ts", import.meta.url)));
  await playTranscript(parseTranscript(HELLO), server);
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test("names the end of the process as the reason", async () => {
  const wire = spawnServer({ command: process.execPath, args: ["-e", "process.exit(3)"] });
  const played = playTranscript(parseTranscript("→ 1\n← 2", "h.mcp"), wire);
  await expect(played).rejects.toThrow(/^h\.mcp:2: No message received: The server process \(.+\) exited with code 3\n {2}expected ← 2$/);
});
