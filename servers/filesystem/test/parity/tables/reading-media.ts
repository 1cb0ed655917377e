// read_media_file: by name, by bytes, and by both.
import { linkTo } from "@oarlock/testing";
import { faulty, refused, same, says, type Call, type Row } from "../row.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const NAMES = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "mp3", "wav", "ogg", "flac", "PNG", "Mp3"];
const OTHERS = ["bin", "txt", "pdf", "json", "zip", "ts", "mp4", "tiff", "psd", "html", "", "gz"];

const media = (name: string): Call => ["read_media_file", { path: `{}/${name}` }];

export const readingMedia: readonly Row[] = [
  ...[...NAMES, ...OTHERS].flatMap((ending) => [
    same(`text named .${ending}`, { [`f.${ending}`]: "hello" }, media(`f.${ending}`)),
    same(`bytes named .${ending}`, { [`f.${ending}`]: Buffer.from([1, 2, 0, 255, 10, 13]) }, media(`f.${ending}`)),
    same(`nothing named .${ending}`, { [`f.${ending}`]: "" }, media(`f.${ending}`)),
  ]),
  same("a PNG", { "a.png": PNG }, media("a.png")),
  same("a GIF", { "a.gif": "GIF89a\u0001\u0000" }, media("a.gif")),
  same("a WAV", { "a.wav": Buffer.from("524946460000000057415645", "hex") }, media("a.wav")),
  same("an SVG", { "a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>' }, media("a.svg")),
  same("a name without an ending", { file: "x" }, media("file")),
  same("a name that is an ending", { ".png": "x" }, media(".png")),
  same("a name with two endings", { "a.png.txt": "x" }, media("a.png.txt")),
  same("a name with much in it", { "a b#é%?.bin": "x" }, media("a b#é%?.bin")),
  same("a directory that looks like a name", { "d.png": { f: "x" } }, media("d.png/f")),
  same("half a megabyte", { f: Buffer.alloc(500_000, 7) }, media("f")),
  same("a link", { "a.png": PNG, l: linkTo("a.png") }, media("l")),
  same("by a relative path", { "a.png": PNG }, ["read_media_file", { path: "{name}/a.png" }]),
  ...["jpg", "gif", "webp", "bmp", "svg", "mp3", "flac", "txt", "pdf", "bin", ""].map((ending) =>
    says(
      "media",
      `a PNG named .${ending}`,
      { [`f.${ending}`]: PNG },
      media(`f.${ending}`),
      `[{"type":"image","data":"${PNG.toString("base64")}","mimeType":"image/png"}]`,
    ),
  ),
  says(
    "media",
    "a file too big for one reply",
    { "f.bin": Buffer.alloc(1_000_000) },
    media("f.bin"),
    '[{"type":"resource_link","uri":"file://{}/f.bin","name":"f.bin","mimeType":"application/octet-stream","size":1000000,"description":"Too big for one reply"}]',
  ),
  refused("a file that is missing", {}, media("f.png"), "No such file or directory: {}/f.png"),
  refused("a directory", { d: {} }, media("d"), "Expected a file, but this is a directory: {}/d"),
  refused(
    "an absolute path outside",
    {},
    ["read_media_file", { path: "/etc/passwd" }],
    "Access denied - path outside allowed directories: /etc/passwd",
  ),
  refused("no path", {}, ["read_media_file", {}], faulty("read_media_file", "path")),
];
