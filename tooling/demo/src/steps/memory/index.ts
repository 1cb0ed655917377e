// The memory server's show.
import { REVISIONS } from "@oarlock/server-kit/protocol";
import type { Show } from "../../show.ts";
import { showsOf } from "../../stage.ts";
import { greeting, recall, superseded, traversal } from "./facts.ts";
import { completion, goodbye, prompts, question } from "./offers.ts";
import { openScene, type Scene } from "./scene.ts";
import { file, subscription, together } from "./sharing.ts";

export const memory: readonly Show<Scene>[] = showsOf("memory", openScene, REVISIONS, [
  greeting,
  recall,
  superseded,
  traversal,
  subscription,
  together,
  file,
  prompts,
  completion,
  question,
  goodbye,
]);
