// The git server's show.
import { NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";
import type { Transport } from "../../server-process.ts";
import type { Show } from "../../show.ts";
import { blame, log } from "./history.ts";
import { openScene, type Scene } from "./scene.ts";
import { commit, goodbye, greeting, refusals, subscription } from "./state.ts";

const over = (transport: Transport, revisions: readonly string[]): Show<Scene> => ({
  server: "git",
  transport,
  revisions,
  open: (revision) => openScene(revision, transport),
  steps: [greeting, log, blame, commit, subscription, refusals, goodbye],
});

/** In the newest revision of each era, on a pipe and over HTTP. */
const REVISIONS_SHOWN = [REVISIONS[0] ?? "", NEWEST_HANDSHAKE];
export const git: readonly Show<Scene>[] = [over("stdio", REVISIONS_SHOWN), over("HTTP", REVISIONS_SHOWN)];
