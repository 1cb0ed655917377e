/** What takes its time, for the long soak: readers that are slow, and sessions that only wait. Both end by limits of the server. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Works } from "../load-generator.ts";
import { must } from "./expect.ts";
import { begin, refused } from "./raw-http.ts";
import { calling, openRaw } from "./rude-http.ts";

const IDLE_SESSIONS = 100;
/** 600 KB in pieces of 16 KiB: more than sockets hold, and never a pause as long as `stalledMs`. */
const STEPS = { count: 20, ms: 1, size: 30_000 };
const PIECE_BYTES = 16 * 1024;
const PIECE_MS = 100;

/** On the URL of a session endpoint. */
export const PATIENT: Works<string> = {
  "reader that is slow": async (url) => {
    const { headers } = await openRaw(url);
    const call = begin(url, { headers, body: calling("steps", STEPS, { progressToken: 1 }) });
    const answer = await call.answer;
    let bytes = 0;
    for await (const piece of answer.iterator({ destroyOnReturn: false })) {
      bytes += (piece as Buffer).length;
      await sleep(((piece as Buffer).length / PIECE_BYTES) * PIECE_MS);
    }
    must(bytes > 0, "a slow reader got nothing");
    await refused(url, { method: "DELETE", headers }, 204);
  },
  "reader that never reads": async (url) => {
    const { headers } = await openRaw(url);
    const call = begin(url, { headers, body: calling("steps", { ...STEPS, count: 200 }, { progressToken: 1 }) });
    const answer = await call.answer;
    answer.pause();
    // Its socket is closed by the server, which keeps the rest within its bounds; the session ends as an idle one.
    await new Promise((closed) =>
      call.request
        .once("close", closed)
        .once("error", closed)
        .setTimeout(60_000, () => call.request.destroy()),
    );
  },
  "crowd of idle sessions": async (url) => {
    for (let opened = 0; opened < IDLE_SESSIONS; opened++) await openRaw(url, opened % 2 === 0);
  },
};
