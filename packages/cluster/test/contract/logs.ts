// The rules of logs: positions, previous entries and what a reader sees.
import type { Backplane, LogEntry } from "../../src/backplane.ts";
import { expect, test } from "vitest";
import { newRecord, type Nodes } from "./nodes.ts";

export function testLogs(nodes: () => Nodes): void {
  test("numbers entries by the log, with the previous entry of their stream", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    expect(await node.append(key, { writer: "a", texts: ["a1", "a2"] })).toEqual({ stream: 1, position: 2 });
    expect(await other.append(key, { writer: "b", texts: ["b1"] })).toEqual({ stream: 2, position: 3 });
    expect(await node.append(key, { stream: 1, writer: "a", texts: ["a3"] })).toEqual({ stream: 1, position: 4 });
    expect((await other.read(key, 0)).entries).toEqual([
      { position: 1, stream: 1, previous: 0, text: "a1" },
      { position: 2, stream: 1, previous: 1, text: "a2" },
      { position: 3, stream: 2, previous: 0, text: "b1" },
      { position: 4, stream: 1, previous: 2, text: "a3" },
    ]);
  });

  test("reads the entries after a position, up to a limit", async () => {
    const [node] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", texts: ["1", "2", "3", "4"] });
    const texts = async (...args: [number, { limit: number }?]): Promise<string[]> =>
      (await node.read(key, ...args)).entries.map(({ text }) => text);
    expect(await texts(2)).toEqual(["3", "4"]);
    expect(await texts(1, { limit: 2 })).toEqual(["2", "3"]);
    expect(await texts(4)).toEqual([]);
    expect(await texts(9)).toEqual([]);
  });

  test("reads at most 1,000 entries by default", async () => {
    const [node] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", texts: Array.from({ length: 1001 }, (_, index) => String(index + 1)) });
    expect((await node.read(key, 0)).entries.map(({ position }) => position)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index + 1),
    );
    expect((await node.read(key, 1000)).entries).toEqual([{ position: 1001, stream: 1, previous: 1000, text: "1001" }]);
  });

  test("returns texts unchanged", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    const texts = ["", "'\"\\\r\n{,}$1", "é € 漢字 😀", "NULL", '{"a":[1,"b"]}', "x".repeat(100_000)];
    await node.append(key, { writer: "a", texts });
    expect((await other.read(key, 0)).entries.map(({ text }) => text)).toEqual(texts);
  });

  test("numbers additions of several nodes without gaps, each in one piece", async () => {
    const key = await newRecord(nodes()[0]);
    const rounds = 30;
    const write = async (node: Backplane, writer: string): Promise<number[]> => {
      const positions: number[] = [];
      let stream: number | undefined;
      for (let round = 0; round < rounds; round++) {
        const texts = Array.from({ length: 1 + (round % 3) }, (_, index) => `${writer} ${round} ${index}`);
        const result = await node.append(key, { ...(stream !== undefined && { stream }), writer, texts });
        stream = result.stream;
        positions.push(result.position);
      }
      return positions;
    };
    const writers = nodes().flatMap((node, index) => [write(node, `a${index}`), write(node, `b${index}`)]);
    const positions = (await Promise.all(writers)).flat();
    const { entries } = await nodes()[1].read(key, 0);
    expectLinked(entries, 0);
    expect(entries).toHaveLength(6 * rounds * 2);
    // The result of each addition is the position of its last text, and its texts are neighbours.
    const ends = entries.filter(
      ({ text }, index) => text.split(" ").slice(0, 2).join() !== entries[index + 1]?.text.split(" ").slice(0, 2).join(),
    );
    expect(ends.map(({ position }) => position)).toEqual(positions.toSorted((a, b) => a - b));
  });

  test("shows all entries before a visible position while others write", async () => {
    const [reader, ...writers] = nodes();
    const key = await newRecord(reader);
    const count = 60;
    const writing = Promise.all(
      writers.map(async (node, index) => {
        for (let round = 0; round < count; round++) await node.append(key, { stream: index + 1, writer: `w${index}`, texts: ["x"] });
      }),
    );
    const seen: LogEntry[] = [];
    while (seen.length < count * writers.length) seen.push(...(await reader.read(key, seen.at(-1)?.position ?? 0, { limit: 7 })).entries);
    await writing;
    expectLinked(seen, 0);
  });

  test("separates the logs of different records", async () => {
    const [node] = nodes();
    const [one, another] = [await newRecord(node), await newRecord(node)];
    await node.append(one, { writer: "a", texts: ["one"] });
    expect(await node.append(another, { writer: "b", texts: ["another"] })).toEqual({ stream: 1, position: 1 });
    expect((await node.read(one, 0)).entries.map(({ text }) => text)).toEqual(["one"]);
  });
}

/** Positions rise by one, and each entry names the entry before it in its stream. */
function expectLinked(entries: readonly LogEntry[], after: number): void {
  const last = new Map<number, number>();
  for (const [index, { position, stream, previous }] of entries.entries()) {
    expect(position).toBe(after + index + 1);
    expect(previous).toBe(last.get(stream) ?? 0);
    last.set(stream, position);
  }
}
