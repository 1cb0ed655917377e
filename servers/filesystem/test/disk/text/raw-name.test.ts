import { expect, test } from "vitest";
import { escapeNonUtf8 } from "../../../src/disk/text/raw-name.ts";

test("escapes bytes that are not UTF-8 and keeps the rest", () => {
  expect(escapeNonUtf8(Buffer.from("caf\xe9.txt", "latin1"))).toBe("caf\\xE9.txt");
  expect(escapeNonUtf8(Buffer.from("né\xff日", "latin1"))).not.toContain("\ufffd");
  expect(escapeNonUtf8(Buffer.concat([Buffer.from("né日😀"), Buffer.from([0xf0, 0x9f])]))).toBe("né日😀\\xF0\\x9F");
  expect(escapeNonUtf8(Buffer.from([0xed, 0xa0, 0x80, 0x2f]))).toBe("\\xED\\xA0\\x80/");
});
