// The filesystem server's show.
import { findRevision, REVISIONS } from "@oarlock/server-kit/protocol";
import type { Show } from "../../show.ts";
import { question, roots } from "./asking.ts";
import { goodbye, readOnly } from "./ends.ts";
import { cancellation, logging, progress } from "./long-calls.ts";
import { completion, handshake, prompts, refusals, tools } from "./offers.ts";
import { paging, resources, subscription } from "./resources.ts";
import { openScene, type Scene } from "./scene.ts";

export const filesystem: Show<Scene> = {
  server: "filesystem",
  transport: "stdio",
  revisions: REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake"),
  open: openScene,
  steps: [
    handshake,
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
};
