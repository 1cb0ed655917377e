// Official clients connect to the built server by a handshake and read its information and capabilities.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
import { expect } from "vitest";
import { everyClient, inSessions, stateless } from "./support/every-client.ts";

everyClient(
  "LIFE-05 LIFE-09 LIFE-16 the client gets the revision it requests, and the capabilities",
  async ({ revision, connect }) => {
    const client = await connect();
    expect(client.revision).toBe(revision);
    expect(client.serverInfo).toEqual({
      name: "oarlock-filesystem",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      ...(revision >= "2025-06-18" && { title: "Files" }),
    });
    expect(client.capabilities).toEqual({
      logging: {},
      ...(revision >= "2025-03-26" && { completions: {} }),
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
      ...(revision === "2025-11-25" && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
    });
    expect(client.instructions).toMatch(/^Work with files .{100,}/);
  },
  inSessions,
);

everyClient(
  "DISC-01 DISC-02 DISC-06 the client discovers the newest revision and the capabilities",
  async ({ revision, connect }) => {
    const client = await connect();
    expect(client.revision).toBe(revision);
    expect(client.serverInfo).toEqual({ name: "oarlock-filesystem", title: "Files", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(client.capabilities).toEqual({
      logging: {},
      completions: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
      extensions: {
        "io.modelcontextprotocol/skills": { directoryRead: true },
        "io.modelcontextprotocol/ui": {},
        "io.modelcontextprotocol/tasks": {},
      },
    });
    expect(client.instructions).toMatch(/^Work with files .{100,}/);
  },
  stateless,
);

everyClient(
  "PING-01 answers pings, also during an elicitation",
  async ({ facts, folder, connect }) => {
    const client = await connect({
      async elicit() {
        await client.ping();
        return { action: "decline" };
      },
    });
    await client.ping();
    if (!facts.elicit) return;
    folder.write({ "a.txt": "a", "b.txt": "b" });
    expect(await client.call("move_file", { source: "a.txt", destination: "b.txt", overwrite: true })).toMatchObject({ isError: true });
  },
  inSessions,
);

everyClient("STDIO-10 STDIO-11 the server exits when a client closes without a request", async ({ connect }) => {
  await connect();
});
