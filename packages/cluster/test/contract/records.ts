// The rules of records: versions, conditions and times to live.
import { randomUUID } from "node:crypto";
import { RecordMissing } from "../../src/backplane.ts";
import { expect, test } from "vitest";
import { manyOf, type Nodes } from "./nodes.ts";

const MINUTE_MS = 60_000;

export function testRecords(nodes: () => Nodes): void {
  test("finds neither text nor version nor log of a missing record", async () => {
    const [node] = nodes();
    const key = randomUUID();
    expect(await node.get(key)).toBeUndefined();
    expect(await node.touch(key, MINUTE_MS)).toBeUndefined();
    await expect(node.read(key, 0)).rejects.toThrow(RecordMissing);
    await expect(node.append(key, { writer: "a", texts: ["1"] })).rejects.toThrow(RecordMissing);
    await node.drop(key);
  });

  test("raises the version from 1 with each put, and gives other nodes the newest text", async () => {
    const [node, other] = nodes();
    const key = randomUUID();
    for (const version of [1, 2, 3]) {
      expect(await node.put(key, `text ${version}`, { ttlMs: MINUTE_MS })).toBe(version);
      expect(await other.get(key)).toEqual({ text: `text ${version}`, version });
      expect(await other.touch(key, MINUTE_MS)).toBe(version);
    }
  });

  test.each([
    ["an empty text", ""],
    ["quotes and line breaks", "'\"\\\r\n{1} $1 %s :name"],
    ["characters of all planes", "é € 漢字 😀 \u2028"],
    ["a megabyte", "x".repeat(1_000_000)],
  ])("returns the text of a record unchanged: %s", async (_title, text) => {
    const [node, other] = nodes();
    const key = `s:${randomUUID()} ${text.slice(0, 20)}`;
    await node.put(key, text, { ttlMs: MINUTE_MS });
    expect((await other.get(key))?.text).toBe(text);
  });

  test("changes nothing by a put whose condition does not hold", async () => {
    const [node, other] = nodes();
    const key = randomUUID();
    expect(await node.put(key, "none", { ttlMs: MINUTE_MS, when: 1 })).toBeUndefined();
    expect(await node.get(key)).toBeUndefined();
    expect(await node.put(key, "first", { ttlMs: MINUTE_MS, when: "absent" })).toBe(1);
    expect(await other.put(key, "second", { ttlMs: 1, when: "absent" })).toBeUndefined();
    expect(await other.put(key, "second", { ttlMs: 1, when: 2 })).toBeUndefined();
    expect(await node.get(key)).toEqual({ text: "first", version: 1 });
    expect(await other.put(key, "second", { ttlMs: MINUTE_MS, when: 1 })).toBe(2);
  });

  test("accepts exactly one of many concurrent puts of a record that must be absent", async () => {
    const key = randomUUID();
    const versions = await Promise.all(
      manyOf(nodes()).map((node, index) => node.put(key, `text ${index}`, { ttlMs: MINUTE_MS, when: "absent" })),
    );
    expect(versions.filter((version) => version !== undefined)).toEqual([1]);
    expect(await nodes()[0].get(key)).toEqual({ text: `text ${versions.indexOf(1)}`, version: 1 });
  });

  test("accepts exactly one of many concurrent puts of a record that must have a version", async () => {
    const key = randomUUID();
    const [node] = nodes();
    await node.put(key, "", { ttlMs: MINUTE_MS });
    const versions = await Promise.all(
      manyOf(nodes()).map((other, index) => other.put(key, `text ${index}`, { ttlMs: MINUTE_MS, when: 1 })),
    );
    expect(versions.filter((version) => version !== undefined)).toEqual([2]);
    expect(await node.get(key)).toEqual({ text: `text ${versions.indexOf(2)}`, version: 2 });
  });

  test("gives concurrent puts without a condition versions of their own", async () => {
    const key = randomUUID();
    const versions = await Promise.all(manyOf(nodes()).map((node) => node.put(key, "", { ttlMs: MINUTE_MS })));
    expect(versions.toSorted((a = 0, b = 0) => a - b)).toEqual(versions.map((_version, index) => index + 1));
  });

  test("removes an expired record with its log, and starts a new one from the beginning", async () => {
    const [node, other] = nodes();
    const key = randomUUID();
    await node.put(key, "old", { ttlMs: MINUTE_MS });
    await node.append(key, { writer: "a", texts: ["1", "2"], isLast: true });
    await node.touch(key, 50);
    await expect.poll(() => other.get(key)).toBeUndefined();
    expect(await other.touch(key, MINUTE_MS)).toBeUndefined();
    await expect(other.read(key, 0)).rejects.toThrow(RecordMissing);
    await expect(node.append(key, { stream: 1, writer: "a", texts: ["3"] })).rejects.toThrow(RecordMissing);
    expect(await node.put(key, "none", { ttlMs: MINUTE_MS, when: 1 })).toBeUndefined();
    expect(await node.put(key, "new", { ttlMs: MINUTE_MS, when: "absent" })).toBe(1);
    expect(await other.read(key, 0, { stream: 1 })).toEqual({ entries: [] });
    expect(await other.append(key, { writer: "b", texts: ["1"] })).toEqual({ stream: 1, position: 1 });
  });

  test("replaces an expired record and its log by a put without a condition", async () => {
    const [node] = nodes();
    const key = randomUUID();
    await node.put(key, "old", { ttlMs: MINUTE_MS });
    await node.append(key, { writer: "a", texts: ["1"] });
    await node.touch(key, 50);
    await expect.poll(() => node.get(key)).toBeUndefined();
    expect(await node.put(key, "new", { ttlMs: MINUTE_MS })).toBe(1);
    expect(await node.read(key, 0)).toEqual({ entries: [] });
  });

  test("prolongs a record and its log by touch, as by put", async () => {
    const [node, other] = nodes();
    const [touched, replaced, left] = [randomUUID(), randomUUID(), randomUUID()];
    const ttlMs = 2000;
    for (const key of [touched, replaced]) {
      await node.put(key, "old", { ttlMs: MINUTE_MS });
      await node.append(key, { writer: "a", texts: ["1"] });
      await node.touch(key, ttlMs);
    }
    expect(await other.touch(touched, MINUTE_MS)).toBe(1);
    expect(await other.put(replaced, "new", { ttlMs: MINUTE_MS })).toBe(2);
    // Once this one has expired, the time that the others had at first has passed too.
    await node.put(left, "", { ttlMs });
    await expect.poll(() => node.get(left), { timeout: 30_000 }).toBeUndefined();
    for (const key of [touched, replaced]) {
      expect((await node.read(key, 0, { stream: 1 })).stream?.owner).toBe("a");
      expect((await node.read(key, 0)).entries).toHaveLength(1);
    }
    expect(await node.get(touched)).toEqual({ text: "old", version: 1 });
  });

  test("does not prolong a record by an addition", async () => {
    const [node] = nodes();
    const key = randomUUID();
    await node.put(key, "", { ttlMs: MINUTE_MS });
    await node.touch(key, 300);
    await expect
      .poll(() =>
        node.append(key, { writer: "a", stream: 0, texts: ["1"] }).then(
          () => "added",
          (error: unknown) => error,
        ),
      )
      .toBeInstanceOf(RecordMissing);
  });

  test("removes a record and its log by drop", async () => {
    const [node, other] = nodes();
    const key = randomUUID();
    await node.put(key, "", { ttlMs: MINUTE_MS });
    await node.append(key, { writer: "a", texts: ["1"] });
    await other.drop(key);
    expect(await node.get(key)).toBeUndefined();
    await expect(node.read(key, 0)).rejects.toThrow(RecordMissing);
    expect(await node.put(key, "", { ttlMs: MINUTE_MS, when: "absent" })).toBe(1);
    expect(await node.read(key, 0)).toEqual({ entries: [] });
  });
}
