// What a tool handler may return, and the blocks it can be made of.
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
 * JSON that is text already, as it comes from another process: it goes out as it stands. Nothing checks it against the
 * declared output; who makes it vouches for it.
 */
export class EncodedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** For everybody who does not know this class. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** A text block whose text is encoded already: `json` is a JSON string, with its quotes. */
export const encodedText = (json: string): TextBlock => ({ type: "text", text: new EncodedJson(json) as unknown as string }); // as its toJSON gives one

/** Content and structured value, both by hand. */
export interface ContentAndStructured<T> {
  content: string | Block[];
  structured: T | EncodedJson;
  isError?: boolean;
}

/** What `run` of a tool may return: text, blocks, the declared output, or content and output both. */
export type ToolReturn<T> = string | Block[] | ContentAndStructured<T> | T;

export function isContentAndStructured(value: unknown): value is ContentAndStructured<unknown> {
  return typeof value === "object" && value !== null && "structured" in value && "content" in value;
}

export const blocksOf = (content: string | Block[]): Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content);

/** Older revisions drop structured content of another type than object, so encoded JSON of another type is decoded for them to see. */
const decodedUnlessObject = (structured: unknown): unknown =>
  structured instanceof EncodedJson && !/^\s*\{/.test(structured.json) ? structured.toJSON() : structured;

/** What a tool without declared output returned, as a result. Throws, naming the tool, on what cannot be one. */
export function toResult(value: unknown, owner: string): CallToolResult {
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  if (Array.isArray(value) && value.every((block) => typeof block?.type === "string")) return { content: value };
  if (isContentAndStructured(value))
    return {
      content: blocksOf(value.content),
      structuredContent: decodedUnlessObject(value.structured),
      ...(value.isError === true && { isError: true }),
    };
  throw new TypeError(`${owner} returned ${typeOf(value)}; expected text, blocks, or a value with a declared output`);
}

/** What a handler returned, for errors that say what was expected instead. */
export const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : typeof value);
