// The rules of long logs: old entries are removed, and readers notice it.
import { LOG_BYTES } from "../../src/backplane.ts";
import { expect, test } from "vitest";
import { newRecord, type Nodes } from "./nodes.ts";

const MIB = 1024 * 1024;

export function testLogLimits(nodes: () => Nodes): void {
  test("keeps the newest texts of a log, as many as fit into LOG_BYTES", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    const count = LOG_BYTES / MIB + 3;
    for (let index = 0; index < count; index++) await node.append(key, { stream: 1, writer: "a", texts: ["x".repeat(MIB)] });
    const { entries, stream } = await other.read(key, 0, { stream: 1 });
    expect(entries.map(({ position }) => position)).toEqual([4, 5, 6, 7]);
    expect(stream?.position).toBe(count);
    // A reader that has seen position 2 expects an entry whose previous one is 2.
    expect((await other.read(key, 2)).entries[0]?.previous).toBe(3);
    expect(await node.append(key, { stream: 1, writer: "a", texts: ["y"] })).toEqual({ stream: 1, position: count + 1 });
  });

  test("counts the size of a log in bytes", async () => {
    const [node] = nodes();
    const key = await newRecord(node);
    for (let index = 0; index < 3; index++) await node.append(key, { stream: 1, writer: "a", texts: ["é".repeat(MIB)] });
    expect((await node.read(key, 0)).entries.map(({ position }) => position)).toEqual([2, 3]);
  });

  test("keeps the newest entry, however long it is", async () => {
    const [node] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", texts: ["small", "x".repeat(LOG_BYTES + 1)] });
    expect((await node.read(key, 0)).entries.map(({ position, previous }) => [position, previous])).toEqual([[2, 1]]);
    await node.append(key, { stream: 1, writer: "a", texts: ["small again"] });
    expect((await node.read(key, 0)).entries).toEqual([{ position: 3, stream: 1, previous: 2, text: "small again" }]);
  });

  test("keeps owner and end of a stream whose entries were removed", async () => {
    const [node] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", about: "request 1", texts: ["1"], isLast: true });
    for (let index = 0; index < 5; index++) await node.append(key, { stream: 2, writer: "b", texts: ["x".repeat(MIB)] });
    const { entries, stream } = await node.read(key, 0, { stream: 1 });
    expect(entries[0]?.position).toBe(3);
    expect(stream).toEqual({ owner: "a", position: 1, isEnded: true, about: "request 1" });
  });
}
