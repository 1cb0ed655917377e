// The SQLite server's show.
import { REVISIONS } from "@oarlock/server-kit/protocol";
import type { Show } from "../../show.ts";
import { NEWEST_OF_ERAS, showsOf } from "../../stage.ts";
import { catalogue, dryRun, query, question } from "./asking.ts";
import { bomb, goodbye, subscription } from "./running.ts";
import { openScene, type Scene } from "./scene.ts";

/** On a pipe in the oldest revision too. */
export const sqlite: readonly Show<Scene>[] = showsOf(
  "sqlite",
  openScene,
  [...NEWEST_OF_ERAS, REVISIONS.at(-1) ?? ""],
  [
    catalogue,
    query,
    dryRun,
    question,
    bomb,
    subscription,
    goodbye, // closes the client
  ],
);
