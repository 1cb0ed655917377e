/** Our own client, in both eras. */
import { connect } from "@oarlock/client";
import { ROOTS, textOf, type ClientKind, type Connecting, type Era, type LoadClient } from "./load-client.ts";

export const OARLOCK_SESSIONS: ClientKind = {
  name: "oarlock",
  era: "sessions",
  hasTasks: false,
  asksAgain: true,
  connect: (connecting) => open(connecting, "sessions"),
};

export const OARLOCK_STATELESS: ClientKind = {
  name: "oarlock",
  era: "stateless",
  hasTasks: true,
  asksAgain: true,
  connect: (connecting) => open(connecting, "stateless"),
};

async function open({ url, fetch, hooks, requestMs }: Connecting, era: Era): Promise<LoadClient> {
  const client = await connect(
    { url, fetch },
    {
      revision: era === "sessions" ? "2025-11-25" : "2026-07-28",
      timeoutMs: requestMs,
      cache: false,
      roots: () => {
        hooks.onQuestion("roots", "");
        return ROOTS;
      },
      elicit: ({ message }) => ({ action: "accept", content: { token: hooks.onQuestion("elicit", message) } }),
      sample: ({ messages }) => ({
        role: "assistant",
        model: "nodes",
        content: { type: "text", text: hooks.onQuestion("sample", JSON.stringify(messages)) },
      }),
      onLog: ({ data }) => hooks.onLog(data),
    },
  );
  await client.setLevel("info");
  return {
    async call(name, args, { signal, onProgress } = {}) {
      const options = {
        ...(signal && { signal }),
        ...(onProgress && { onProgress: ({ progress }: { progress: number }) => onProgress(progress) }),
      };
      return textOf(await client.call(name, args, options));
    },
    async subscribe(uri) {
      const stream = client.listen({ tools: true, uris: [uri] });
      await stream.ready;
      void (async () => {
        for await (const change of stream) {
          if (change.kind === "updated") hooks.onUpdated(change.uri);
          else hooks.onListChanged();
        }
      })().catch(() => undefined); // ends with the connection
    },
    close: () => client.close(),
  };
}
