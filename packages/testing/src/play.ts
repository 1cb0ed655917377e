// Plays a conversation against a server: writes what the client says, and holds what comes against what is expected.
import type { Wire } from "@oarlock/server-kit/protocol";
import { Player, segments, type PlayOptions } from "./player.ts";
import type { Transcript } from "./transcript.ts";
import { updated } from "./update.ts";

export type { PlayOptions } from "./player.ts";

/**
 * Plays a conversation to its end and closes the wire. Throws at the first message that differs, with file, line and the
 * differences by path.
 * @example
 * for (const transcript of readTranscripts(folder)) {
 *   test(transcript.title, () => play(transcript, linkMemory(createServer())));
 * }
 */
export async function play(transcript: Transcript, wire: Wire, options: PlayOptions = {}): Promise<void> {
  const update = options.update ?? process.env.UPDATE_TRANSCRIPTS === "1";
  const player = new Player(transcript, wire, options);
  try {
    if (update) await updated(transcript, player, options.variables ?? {});
    else {
      for (const segment of segments(transcript.steps)) await player.segment(segment);
      await player.quiet(transcript.steps.at(-1)?.line ?? 1);
    }
  } finally {
    await wire.close();
  }
}
