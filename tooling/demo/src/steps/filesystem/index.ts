// The filesystem server's show.
import { REVISIONS } from "@oarlock/server-kit/protocol";
import type { Show } from "../../show.ts";
import { showsOf } from "../../stage.ts";
import { question, roots } from "./asking.ts";
import { goodbye, readOnly } from "./ends.ts";
import { cancellation, logging, progress } from "./long-calls.ts";
import { completion, greeting, prompts, refusals, tools } from "./offers.ts";
import { paging, resources, subscription } from "./resources.ts";
import { openScene, type Scene } from "./scene.ts";

export const filesystem: readonly Show<Scene>[] = showsOf("filesystem", openScene, REVISIONS, [
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
]);
