// Opening a backplane: addresses that never work.
import { describe, expect, test } from "vitest";
import { refusal } from "./support/refusal.ts";

describe("an address that never works", () => {
  test.each([
    ["mysql://secret@127.0.0.1", "The address of the database must look like postgres://user@host:5432/database."],
    ["secret", "The address of the database must look like postgres://user@host:5432/database."],
    ["postgres://127.0.0.1/a?answer_ms=99", "answer_ms in the database's address must be a number of milliseconds, from 100 to 60000."],
    ["postgres://a:secret@no.such.host.invalid/a", "The host of the database, no.such.host.invalid:5432, does not exist."],
  ])("is rejected: %s", async (url, message) => {
    expect(await refusal(url)).toBe(message);
  });
});
