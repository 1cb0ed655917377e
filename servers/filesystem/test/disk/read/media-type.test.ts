import { describe, expect, test } from "vitest";
import { mediaType, readsAsText, sniff } from "../../../src/disk/read/media-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

describe("media type by name", () => {
  test.each([
    ["photo.PNG", "image/png"],
    ["a.b.jpeg", "image/jpeg"],
    ["x.svg", "image/svg+xml"],
    ["x.flac", "audio/flac"],
    ["main.ts", "text/x-typescript"],
    ["lib.rs", "text/x-rust"],
    ["page.html", "text/html"],
    ["paper.pdf", "application/pdf"],
    ["font.woff2", "font/woff2"],
    ["film.mkv", "video/x-matroska"],
    ["Makefile", "application/octet-stream"],
    ["x.nothingknown", "application/octet-stream"],
    ["__proto__", "application/octet-stream"],
    ["x.__proto__", "application/octet-stream"],
    ["x.constructor", "application/octet-stream"],
  ])("reads %s as %s", async (name, type) => {
    expect(await mediaType(name)).toBe(type);
  });
});

describe("media type by first bytes", () => {
  test.each([
    ["\x89PNG\r\n\x1a\n", "image/png"],
    ["\xff\xd8\xff\xe0", "image/jpeg"],
    ["GIF89a", "image/gif"],
    ["RIFF\0\0\0\0WEBPVP8 ", "image/webp"],
    ["RIFF\0\0\0\0WAVEfmt ", "audio/wav"],
    ["\0\0\0\x20ftypavif", "image/avif"],
    ["\0\0\0\x20ftypM4A ", "audio/mp4"],
    ["ID3\x04\0", "audio/mpeg"],
    ["\xff\xfb\x90\x64", "audio/mpeg"],
    ["\xff\xf1\x50\x80", "audio/aac"],
    ["OggS\0\x02", "audio/ogg"],
    ["fLaC\0\0", "audio/flac"],
    ["%PDF-1.7", "application/pdf"],
  ])("reads %j as %s, whatever its name", async (head, type) => {
    expect(await mediaType("notes.txt", bytes(head))).toBe(type);
    expect(sniff(bytes(head))).toEqual({ text: false, type });
  });

  test.each([
    ["BM is how this sentence starts"],
    ["GIF is a format"],
    ["ID3 tags are described below"],
    ["RIFF raff"],
    ["\xff\xfeh\0i\0"],
    ["\xfe\xff\0h\0i"],
    ["\xef\xbb\xbfhello"],
    ["gr\xfc\xdfe in Latin-1"],
    [""],
  ])("reads %j as text", (head) => {
    expect(sniff(bytes(head))).toEqual({ text: true, type: undefined });
  });

  test("prefers the name unless the bytes contradict it", async () => {
    expect(await mediaType("Makefile", bytes("all:\n\tcc x.c\n"))).toBe("text/plain");
    expect(await mediaType("notes.txt", bytes("a\0b\0\0"))).toBe("application/octet-stream");
    expect(await mediaType("stream.m2ts", bytes("just words"))).toBe("text/plain");
    expect(await mediaType("data.json", bytes("{}"))).toBe("application/json");
    expect(await mediaType("picture.svg", bytes("<svg/>"))).toBe("image/svg+xml");
    expect(await mediaType("broken.png", bytes("\0\0nothing known"))).toBe("image/png");
  });

  test("reads a view into a larger buffer from its own offset", () => {
    const whole = Buffer.from("xxxxGIF89a", "latin1");
    expect(sniff(new Uint8Array(whole.buffer, whole.byteOffset + 4, 6)).type).toBe("image/gif");
  });
});

test("recognizes text", () => {
  expect(["text/plain", "application/json", "image/svg+xml", "application/toml"].every(readsAsText)).toBe(true);
  expect(["image/png", "application/octet-stream", "video/mp4"].some(readsAsText)).toBe(false);
});
