// Which conversation is held in which revisions, and with which server; README.md says how the files tell it.
import { join } from "node:path";
import { readTranscripts, type Step, type Transcript } from "./player/transcript.ts";
import { isObject, NEWEST_HANDSHAKE, REVISIONS, type Json } from "../../src/protocol.ts";

/** Revisions with a handshake, newest first. */
const STATEFUL: readonly string[] = REVISIONS.slice(REVISIONS.indexOf(NEWEST_HANDSHAKE));

export const HERE: string = import.meta.dirname;

/** What all revisions, or several of them, have in common. */
const COMMON = "stateful";

export interface Conversation {
  readonly transcript: Transcript;
  /** Newest first. */
  readonly revisions: readonly string[];
  readonly server: string;
}

/** All conversations of this folder. */
export function conversations(): Conversation[] {
  const own = REVISIONS.flatMap((revision) => folder(revision).map((transcript) => conversationOf(transcript, [revision])));
  const common = folder(COMMON).map((transcript) => conversationOf(transcript, among(transcript)));
  return [...own, ...common];
}

const folder = (name: string): Transcript[] => readTranscripts(join(HERE, name));

const conversationOf = (transcript: Transcript, revisions: readonly string[]): Conversation => ({
  transcript,
  revisions,
  server: headline(transcript, "Server") ?? "sample",
});

/** `# Revisions: a, b`; without it all of them. */
function among(transcript: Transcript): readonly string[] {
  const named = headline(transcript, "Revisions")?.split(/,\s*/);
  const unknown = named?.filter((revision) => !STATEFUL.includes(revision)) ?? [];
  if (unknown.length > 0) throw new Error(`${transcript.file}: no such revision: ${unknown.join(", ")}`);
  return STATEFUL.filter((revision) => named?.includes(revision) ?? true);
}

const headline = ({ source }: Transcript, name: string): string | undefined =>
  new RegExp(`^# ${name}: (.+)$`, "m").exec(source)?.[1]?.trim();

export interface Coverage {
  /** Methods by who says them; input requests inside a result count as the server's. */
  readonly sent: ReadonlySet<unknown>;
  readonly received: ReadonlySet<unknown>;
  readonly codes: ReadonlySet<unknown>;
}

/** What occurs in the conversations of a revision with the sample server. */
export function coverageOf(all: readonly Conversation[], revision: string): Coverage {
  const steps = all
    .filter(({ revisions, server }) => revisions.includes(revision) && server === "sample")
    .flatMap(({ transcript }) => transcript.steps);
  const messages = (kind: Step["kind"]): Json[] =>
    steps
      .flatMap((step) => (step.kind === kind && "text" in step && !("raw" in step && step.raw) ? [step.text] : []))
      .flatMap((text) => [JSON.parse(text) as unknown].flat())
      .filter(isObject);
  const received = messages("expect").flatMap((message) => [message, ...inputRequestsIn(message)]);
  return {
    sent: new Set(messages("send").map(({ method }) => method)),
    received: new Set(received.map(({ method }) => method)),
    codes: new Set(received.map(({ error }) => (isObject(error) ? error["code"] : undefined))),
  };
}

function inputRequestsIn({ result }: Json): Json[] {
  const requests = isObject(result) ? result["inputRequests"] : undefined;
  return isObject(requests) ? Object.values(requests).filter(isObject) : [];
}
