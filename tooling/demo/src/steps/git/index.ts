// The git server's show.
import type { Show } from "../../show.ts";
import { NEWEST_OF_ERAS, showsOf } from "../../stage.ts";
import { blame, log } from "./history.ts";
import { openScene, type Scene } from "./scene.ts";
import { commit, goodbye, greeting, refusals, subscription } from "./state.ts";

export const git: readonly Show<Scene>[] = showsOf("git", openScene, NEWEST_OF_ERAS, [
  greeting,
  log,
  blame,
  commit,
  subscription,
  refusals,
  goodbye,
]);
