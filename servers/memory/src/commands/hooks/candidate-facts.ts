// Candidate facts: sentences of the user that ask to be remembered, or say what holds from now on. Few and certain: what is not found here can still be
// stored by the model. English and German.
import { MAX_FACT_LENGTH } from "../inbox/inbox-file.ts";

const MAX_CANDIDATES = 20;
const MIN_LENGTH = 10;

/** What follows is the fact. */
const ASKED = [
  /^(?:please\s+)?(?:remember|note|keep in mind|don['’]t forget)(?:\s+that)?[\s,:]+(.+)$/i,
  /^(?:bitte\s+)?(?:merk(?:e)? dir|denk daran|vergiss nicht)(?:\s*,?\s*dass)?[\s,:]+(.+)$/i,
];
/** The sentence is the fact. */
const STATED = [
  /^(?:from now on|always|never|we (?:use|decided|agreed|deploy|release)|(?:I|we) (?:prefer|always|never)|my name is)\b/i,
  /^(?:ab jetzt|immer|niemals|wir (?:nutzen|verwenden|haben beschlossen)|ich (?:bevorzuge|nutze|verwende)|ich heiße)(?![\p{L}\d])/iu,
];
/** Never proposed: the inbox is a file. */
const SECRET = /passwor[dt]|secret|geheim|token|api[ _-]?key|credential|BEGIN [A-Z ]*KEY|[\w+/=-]{32,}/i;

/** The newest count where there are many. */
export function candidateFacts(messages: readonly string[]): string[] {
  const facts = messages.flatMap((message) => sentencesOf(message).flatMap((sentence) => factIn(sentence) ?? []));
  return [...new Set(facts)].slice(-MAX_CANDIDATES);
}

/** Without code: the user does not state it. */
const sentencesOf = (message: string): string[] =>
  message
    .replaceAll(/```.*?(?:```|$)/gs, "\n")
    .split(/\n|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim());

function factIn(sentence: string): string | undefined {
  if (sentence.endsWith("?") || SECRET.test(sentence)) return undefined;
  const asked = ASKED.map((pattern) => pattern.exec(sentence)?.[1]).find((text) => text !== undefined);
  const fact = asked ?? (STATED.some((pattern) => pattern.test(sentence)) ? sentence : undefined);
  return fact !== undefined && fact.length >= MIN_LENGTH && fact.length <= MAX_FACT_LENGTH ? fact : undefined;
}
