// The SQLite server's show.
import { NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";
import type { Transport } from "../../server-process.ts";
import type { Show } from "../../show.ts";
import { catalogue, dryRun, query, question } from "./asking.ts";
import { bomb, goodbye, subscription } from "./running.ts";
import { openScene, type Scene } from "./scene.ts";

const over = (transport: Transport, revisions: readonly string[]): Show<Scene> => ({
  server: "sqlite",
  transport,
  revisions,
  open: (revision) => openScene(revision, transport),
  steps: [
    catalogue,
    query,
    dryRun,
    question,
    bomb,
    subscription,
    goodbye, // closes the client
  ],
});

/** In the newest revision of each era, and on a pipe in the oldest too. */
export const sqlite: readonly Show<Scene>[] = [
  over("stdio", [REVISIONS[0] ?? "", NEWEST_HANDSHAKE, REVISIONS.at(-1) ?? ""]),
  over("HTTP", [REVISIONS[0] ?? "", NEWEST_HANDSHAKE]),
];
