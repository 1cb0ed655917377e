// Plays a transcript against a server: sends the client's messages, and compares the server's messages with the expected ones.
import type { Wire } from "@oarlock/server-kit/protocol";
import { segmentsOf, TranscriptPlayer, type PlayOptions } from "./transcript-player.ts";
import type { Transcript } from "./transcript.ts";
import { updateTranscript } from "./update-transcript.ts";

export type { PlayOptions } from "./transcript-player.ts";

/**
 * Plays a transcript to its end and closes the wire. Throws at the first message that differs, with file, line and the
 * differences by path.
 * @example
 * for (const transcript of readTranscripts(folder)) {
 *   test(transcript.title, () => playTranscript(transcript, linkMemory(createServer())));
 * }
 */
export async function playTranscript(transcript: Transcript, wire: Wire, options: PlayOptions = {}): Promise<void> {
  const update = options.update ?? process.env.UPDATE_TRANSCRIPTS === "1";
  const player = new TranscriptPlayer(transcript, wire, options);
  try {
    if (update) await updateTranscript(transcript, player, options.variables ?? {});
    else {
      for (const segment of segmentsOf(transcript.steps)) await player.playSegment(segment);
      await player.expectSilence(transcript.steps.at(-1)?.line ?? 1);
    }
  } finally {
    await wire.close();
  }
}
