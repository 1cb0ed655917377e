// Sizes of entities and relations in a reply, in bytes. Each is in a reply twice: as JSON within a JSON string (the text), and as
// JSON (the structured result).
import { escapeControlsInJson } from "@oarlock/domain-kit";
import type { Entity, FactTimes, Relation } from "../model.ts";

const PLAIN_ASCII = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/;

/** Bytes of an entity and of a relation besides their texts: keys, quotes and commas. */
const ENTITY_BYTES = 90;
const RELATION_BYTES = 70;
const OBSERVATION_BYTES = 2;
const TIME_BYTES = 24;
/** Of the member `tags`. */
const TAGS_BYTES = 22;

/** Whether JSON takes the text as it is, one byte for each character. */
export const isPlainAscii = (text: string): boolean => PLAIN_ASCII.test(text);

function bytesOfText(text: string): number {
  if (isPlainAscii(text)) return 2 * text.length + 6;
  const once = JSON.stringify(text);
  return Buffer.byteLength(once) + Buffer.byteLength(JSON.stringify(escapeControlsInJson(once))) - 2;
}

export const bytesOfObservation = (text: string): number => bytesOfText(text) + OBSERVATION_BYTES;

export function bytesOfEntity({ name, entityType, observations, tags = [] }: Entity & { readonly tags?: readonly string[] }): number {
  const observationBytes = observations.reduce((sum, text) => sum + bytesOfObservation(text), 0);
  const tagBytes = tags.reduce((sum, tag) => sum + bytesOfObservation(tag), tags.length === 0 ? 0 : TAGS_BYTES);
  return ENTITY_BYTES + bytesOfText(name) + bytesOfText(entityType) + observationBytes + tagBytes;
}

export const bytesOfRelation = ({ from, to, relationType, ...times }: Relation): number =>
  RELATION_BYTES + bytesOfText(from) + bytesOfText(to) + bytesOfText(relationType) + 2 * bytesOfTimes(times);

/** Their keys and quotes included, which are escaped in the text. */
const bytesOfTimes = (times: FactTimes): number => Object.values(times).reduce((sum, text) => sum + (text?.length ?? 0) + TIME_BYTES, 0);

/** An upper estimate for any small value. */
export const estimateBytes = (value: unknown): number => 60 + 4 * JSON.stringify(value).length;

/** In the JSON that a model reads. */
export const textBytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** Keys and punctuation in that JSON. */
const ENTITY_TEXT_BYTES = 60;
const RELATION_TEXT_BYTES = 33;

const textBytesOfList = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + textBytesOf(text) + 1, 0);

export const textBytesOfEntity = ({ name, entityType, observations, tags = [] }: Entity & { readonly tags?: readonly string[] }): number =>
  ENTITY_TEXT_BYTES + textBytesOf(name) + textBytesOf(entityType) + textBytesOfList([...observations, ...tags]);

export const textBytesOfRelation = ({ from, to, relationType, ...times }: Relation): number =>
  RELATION_TEXT_BYTES + textBytesOf(from) + textBytesOf(to) + textBytesOf(relationType) + bytesOfTimes(times);
