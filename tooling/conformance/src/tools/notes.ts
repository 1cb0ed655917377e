/** Tools that tell something while they run. The suite wants about 50 ms between the notes, so that clients see several. */
import { setTimeout } from "node:timers/promises";
import { tool } from "@oarlock/server-kit";

const PAUSE_MS = 50;
/** A connection is let go after this long where the revision knows how to come back; see `serve.ts`. */
export const STREAM_MS = 1000;
/** Later than that, with the server's clock in between, and before the next connection is let go in turn. */
const OUTLASTS_STREAM_MS = 1.5 * STREAM_MS;

export const notes = [
  tool({
    name: "test_tool_with_logging",
    description: "Logs three messages while it runs.",
    async run(_input, { log, signal }) {
      log.info("Tool execution started");
      await setTimeout(PAUSE_MS, undefined, { signal });
      log.info("Tool processing data");
      await setTimeout(PAUSE_MS, undefined, { signal });
      log.info("Tool execution completed");
      return "Logged three messages.";
    },
  }),
  tool({
    name: "test_logging_tool",
    description: "Logs one message, which only those get who asked for it.",
    run(_input, { log }) {
      log.info("Logging evaluated");
      return "Logged one message.";
    },
  }),
  tool({
    name: "test_tool_with_progress",
    description: "Reports progress in three steps: 0, 50 and 100 of 100.",
    async run(_input, { progress, signal }) {
      progress(0, 100);
      await setTimeout(PAUSE_MS, undefined, { signal });
      progress(50, 100);
      await setTimeout(PAUSE_MS, undefined, { signal });
      progress(100, 100);
      return "Reported progress three times.";
    },
  }),
  tool({
    name: "test_reconnection",
    description: "Opens a stream by a log message and answers only after the connection was let go.",
    async run(_input, { log, signal }) {
      log.info("Waiting for the connection to go");
      await setTimeout(OUTLASTS_STREAM_MS, undefined, { signal });
      return "Reconnection test completed.";
    },
  }),
];
