// read_media_file: reads images and audio as blocks that a model can see or hear, and other files as embedded resources.
import { basename } from "node:path";
import { audio, embed, image, link, tool, type Block } from "@oarlock/server-kit";
import { HEAD_BYTES, mediaType, sniff } from "../../disk/read/media-type.ts";
import { readBytes } from "../../disk/read/byte-reader.ts";
import { uriOfPath } from "../../disk/text/file-uri.ts";
import { textBudget, type Dependencies } from "../../dependencies.ts";
import { object, path, result, z } from "../../schema.ts";

export const readMediaFile = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "read_media_file",
    title: "Read media file",
    description: "Read an image or audio file; any other as an embedded resource.",
    input: () => object({ path }),
    output: () => result({ content: z.array(z.looseObject({ type: z.string() })) }),
    hints: { readOnly: true, openWorld: false },
    async run({ path: given }, ctx) {
      const sandbox = await sandboxes.of(ctx);
      const { path: real, stat } = sandbox.look(given);
      const uri = uriOfPath(real);
      // Base64 grows by a third, and the block is sent twice.
      const maxBytes = Math.floor((textBudget(maxResultBytes) / 2) * 0.75);
      if (stat.isFile() && Number(stat.size) > maxBytes) {
        const mimeType = await mediaType(real);
        const content: Block[] = [
          link({ uri, name: basename(real), mimeType, size: Number(stat.size), description: "Too big for one reply" }),
        ];
        return { content, structured: { content: content.map((block) => ({ ...block })), mimeType, size: Number(stat.size) } };
      }
      const { bytes, size } = await readBytes(sandbox, given, { maxBytes, signal: ctx.signal });
      const type = blockType(real, bytes);
      const content = [blockOf(bytes.toString("base64"), type, uri)];
      const mimeType = /^(image|audio)\//.test(type) ? type : await mediaType(real, bytes.subarray(0, HEAD_BYTES));
      return { content, structured: { content: content.map((block) => ({ ...block })), mimeType, size } };
    },
  });

/** The media types of the reference server, by extension. */
const MEDIA: Readonly<Record<string, string | undefined>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
};

/** A known signature in the bytes overrules the name: with a wrong type a model refuses the whole reply. */
function blockType(path: string, bytes: Uint8Array): string {
  const extension = /[^/]\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const named = Object.hasOwn(MEDIA, extension) ? MEDIA[extension] : undefined;
  return sniff(bytes.subarray(0, HEAD_BYTES)).type ?? named ?? "application/octet-stream";
}

function blockOf(data: string, mimeType: string, uri: string): Block {
  if (mimeType.startsWith("image/")) return image(data, mimeType);
  if (mimeType.startsWith("audio/")) return audio(data, mimeType);
  return embed({ uri, mimeType, blob: data });
}
