/** Our own client, in both eras. */
import { connect } from "@oarlock/client";
import { answersOf, textOf, type ClientKind, type Connecting, type Era, type LoadClient } from "./load-client.ts";

const kindOf = (era: Era, hasTasks: boolean): ClientKind => ({
  ...{ name: "oarlock", era, hasTasks, asksAgain: true },
  connect: (connecting) => open(connecting, era),
});

export const OARLOCK: readonly ClientKind[] = [kindOf("sessions", false), kindOf("stateless", true)];

async function open({ url, fetch, hooks, requestMs }: Connecting, era: Era): Promise<LoadClient> {
  const client = await connect(
    { url, fetch },
    {
      revision: era === "sessions" ? "2025-11-25" : "2026-07-28",
      timeoutMs: requestMs,
      cache: false,
      ...answersOf(hooks),
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
