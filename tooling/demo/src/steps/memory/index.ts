// The memory server's show.
import { NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";
import type { Transport } from "../../server-process.ts";
import type { Show } from "../../show.ts";
import { greeting, recall, superseded, traversal } from "./facts.ts";
import { completion, goodbye, prompts, question } from "./offers.ts";
import { openScene, type Scene } from "./scene.ts";
import { file, subscription, together } from "./sharing.ts";

const over = (transport: Transport, revisions: readonly string[]): Show<Scene> => ({
  server: "memory",
  transport,
  revisions,
  open: (revision) => openScene(revision, transport),
  steps: [greeting, recall, superseded, traversal, subscription, together, file, prompts, completion, question, goodbye],
});

/** In every revision on a pipe; over HTTP in the newest of each era. */
export const memory: readonly Show<Scene>[] = [over("stdio", REVISIONS), over("HTTP", [REVISIONS[0] ?? "", NEWEST_HANDSHAKE])];
