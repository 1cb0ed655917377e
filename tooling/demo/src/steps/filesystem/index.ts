// The filesystem server's show.
import { NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";
import type { Transport } from "../../server-process.ts";
import type { Show } from "../../show.ts";
import { question, roots } from "./asking.ts";
import { goodbye, readOnly } from "./ends.ts";
import { cancellation, logging, progress } from "./long-calls.ts";
import { completion, greeting, prompts, refusals, tools } from "./offers.ts";
import { paging, resources, subscription } from "./resources.ts";
import { openScene, type Scene } from "./scene.ts";

const over = (transport: Transport, revisions: readonly string[]): Show<Scene> => ({
  server: "filesystem",
  transport,
  revisions,
  open: (revision) => openScene(revision, transport),
  steps: [
    greeting,
    tools,
    refusals,
    resources,
    subscription,
    prompts,
    completion,
    paging,
    progress,
    cancellation,
    logging,
    question,
    roots, // leaves only some of the folder
    readOnly,
    goodbye, // closes the client
  ],
});

/** In every revision on a pipe; over HTTP in the newest of each era. */
export const filesystem: readonly Show<Scene>[] = [over("stdio", REVISIONS), over("HTTP", [REVISIONS[0] ?? "", NEWEST_HANDSHAKE])];
