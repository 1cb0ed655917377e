// Return values of tools, and the content blocks that they are made of.
// https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
import type {
  Annotations,
  AudioBlock,
  Block,
  CallToolResult,
  EmbeddedResource,
  ImageBlock,
  Resource,
  ResourceContents,
  ResourceLink,
  TextBlock,
} from "../protocol/types.ts";

/** A text block. */
export const text = (value: string, annotations?: Annotations): TextBlock => ({
  type: "text",
  text: value,
  ...(annotations && { annotations }),
});
/** A value as JSON in a text block. */
export const json = (value: unknown): TextBlock => ({ type: "text", text: JSON.stringify(value) });
/** An image; `data` is base64. */
export const image = (data: string, mimeType: string): ImageBlock => ({ type: "image", data, mimeType });
/** Audio; `data` is base64. Revisions without audio get it as an embedded resource. */
export const audio = (data: string, mimeType: string): AudioBlock => ({ type: "audio", data, mimeType });
/** A link that the client may read later. Revisions without links get its name and address as text. */
export const link = (resource: Resource): ResourceLink => ({ type: "resource_link", ...resource });
/** The contents of a resource, inside the result. */
export const embed = (resource: ResourceContents): EmbeddedResource => ({ type: "resource", resource });

/**
 * JSON that is already serialized, for example by another process. It is sent unchanged and is not checked against the declared
 * output: its producer is responsible for it.
 */
export class EncodedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** The value, for code that does not know this class. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** A text block whose text is already serialized: `json` is a JSON string with its quotes. */
export const encodedText = (json: string): TextBlock => ({ type: "text", text: new EncodedJson(json) as unknown as string }); // as its toJSON gives one

/** Content for the model and a structured value, given separately. */
export interface ContentAndStructured<T> {
  content: string | Block[];
  structured: T | EncodedJson;
  isError?: boolean;
}

/**
 * Return value of a tool: text, blocks, a value of the declared output, or content and output separately. With a declared output, content
 * alone is refused: text by the compiler, blocks when the tool runs.
 */
export type ToolReturn<T> = ([T] extends [never] ? string : never) | Block[] | ContentAndStructured<T> | T; // never: no output is declared

export function isContentAndStructured(value: unknown): value is ContentAndStructured<unknown> {
  return typeof value === "object" && value !== null && "structured" in value && "content" in value;
}

/** Whether a returned value is text or blocks. */
export const isContent = (value: unknown): value is string | Block[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((block) => typeof block?.type === "string"));

export const blocksOf = (content: string | Block[]): Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content);

/** Older revisions drop structured content of another type than object, so encoded JSON of another type is decoded for them to see. */
const decodedUnlessObject = (structured: unknown): unknown =>
  structured instanceof EncodedJson && !/^\s*\{/.test(structured.json) ? structured.toJSON() : structured;

/** The result of a tool without a declared output. Throws, naming the tool, on a value of another type. */
export function toResult(value: unknown, owner: string): CallToolResult {
  if (isContent(value)) return { content: blocksOf(value) };
  if (isContentAndStructured(value))
    return {
      content: blocksOf(value.content),
      structuredContent: decodedUnlessObject(value.structured),
      ...(value.isError === true && { isError: true }),
    };
  throw new TypeError(`${owner} returned ${typeOf(value)}; expected text, blocks, or a value with a declared output`);
}

/** The type of a returned value, for error messages. */
export const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : typeof value);
