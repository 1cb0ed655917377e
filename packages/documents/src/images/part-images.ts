// The images of one part of a document, in the media types that models take, within bounds.
import { MAX_IMAGES } from "../limits.ts";

export interface PartImage {
  readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly data: Uint8Array;
}

export class PartImages {
  readonly images: PartImage[] = [];
  /** Those that are too large for the room, or in a form that is not read. */
  leftOut = 0;
  #room: number;

  /** `maxBytes`: of all images together. */
  constructor(maxBytes: number) {
    this.#room = maxBytes;
  }

  get isFull(): boolean {
    return this.images.length >= MAX_IMAGES;
  }

  /** The bytes of an image file, whose media type its signature tells. */
  add(data: Uint8Array): void {
    const mimeType = imageType(data);
    if (mimeType === undefined || data.length > this.#room || this.isFull) return this.leaveOut();
    this.#room -= data.length;
    this.images.push({ mimeType, data });
  }

  leaveOut(): void {
    this.leftOut += 1;
  }
}

function imageType(data: Uint8Array): PartImage["mimeType"] | undefined {
  const head = Buffer.from(data.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "image/webp";
  return undefined;
}
