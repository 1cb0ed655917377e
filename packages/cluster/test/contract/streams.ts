// The rules of streams: one owner, one end, and take-over from exactly one owner.
import { StreamRefused, type Backplane } from "../../src/backplane.ts";
import { expect, test } from "vitest";
import { manyOf, newRecord, type Nodes } from "./nodes.ts";

export function testStreams(nodes: () => Nodes): void {
  test("numbers a new stream after all others", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    expect(await node.append(key, { stream: 0, writer: "a", texts: ["1"] })).toEqual({ stream: 0, position: 1 });
    expect(await other.append(key, { writer: "a", texts: ["2"] })).toEqual({ stream: 1, position: 2 });
    expect(await node.append(key, { stream: 7, writer: "a", texts: ["3"] })).toEqual({ stream: 7, position: 3 });
    expect(await other.append(key, { writer: "a", texts: ["4"] })).toEqual({ stream: 8, position: 4 });
  });

  test("gives concurrent additions without a stream streams of their own", async () => {
    const key = await newRecord(nodes()[0]);
    const results = await Promise.all(manyOf(nodes()).map((node) => node.append(key, { writer: "a", texts: ["x"] })));
    const streams = results.map(({ stream }) => stream).toSorted((a, b) => a - b);
    expect(streams).toEqual(results.map((_result, index) => index + 1));
  });

  test("reads the state of a stream, with the purpose of its first addition", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", about: "request 1", texts: ["1"] });
    await node.append(key, { stream: 1, writer: "a", about: "changed", texts: ["2"] });
    await node.append(key, { writer: "b", texts: ["3"] });
    expect((await other.read(key, 0, { stream: 1 })).stream).toEqual({ owner: "a", position: 2, isEnded: false, about: "request 1" });
    expect((await other.read(key, 3, { stream: 2 })).stream).toEqual({ owner: "b", position: 3, isEnded: false, about: "" });
    expect((await other.read(key, 0, { stream: 3 })).stream).toBeUndefined();
    expect((await other.read(key, 0)).stream).toBeUndefined();
  });

  test("refuses additions to an ended stream, also of its owner", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", texts: ["1"], isLast: true });
    const error = await refusalOf(node, key, { stream: 1, writer: "a", texts: ["2"] });
    expect(error.owner).toBe("a");
    await refusalOf(other, key, { stream: 1, writer: "b", replaces: "a", texts: ["2"] });
    expect((await node.read(key, 0, { stream: 1 })).stream?.isEnded).toBe(true);
  });

  test("ends a stream by an addition without texts", async () => {
    const [node] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", texts: ["1"] });
    expect(await node.append(key, { stream: 1, writer: "a", texts: [], isLast: true })).toEqual({ stream: 1, position: 1 });
    expect((await node.read(key, 0, { stream: 1 })).stream).toEqual({ owner: "a", position: 1, isEnded: true, about: "" });
    expect(await node.append(key, { writer: "a", texts: [] })).toEqual({ stream: 2, position: 0 });
  });

  test("changes nothing by a refused addition", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", texts: ["1"] });
    const error = await refusalOf(other, key, { stream: 1, writer: "b", texts: ["2", "3"], isLast: true });
    expect(error.owner).toBe("a");
    await refusalOf(other, key, { stream: 1, writer: "b", replaces: "c", texts: ["2"] });
    expect(await node.read(key, 0, { stream: 1 })).toEqual({
      entries: [{ position: 1, stream: 1, previous: 0, text: "1" }],
      stream: { owner: "a", position: 1, isEnded: false, about: "" },
    });
    expect(await node.append(key, { stream: 1, writer: "a", texts: ["2"] })).toEqual({ stream: 1, position: 2 });
    expect(await node.append(key, { writer: "a", texts: ["3"] })).toEqual({ stream: 2, position: 3 });
  });

  test("takes a stream over from its owner, who is refused from then on", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    await node.append(key, { writer: "a", about: "request 1", texts: ["1"] });
    expect(await other.append(key, { stream: 1, writer: "b", replaces: "a", texts: ["2"] })).toEqual({ stream: 1, position: 2 });
    expect((await refusalOf(node, key, { stream: 1, writer: "a", texts: ["3"] })).owner).toBe("b");
    await other.append(key, { stream: 1, writer: "b", replaces: "a", texts: ["3"] });
    expect((await node.read(key, 2, { stream: 1 })).stream).toEqual({ owner: "b", position: 3, isEnded: false, about: "request 1" });
  });

  test("lets exactly one of many writers take a stream over", async () => {
    const key = await newRecord(nodes()[0]);
    await nodes()[0].append(key, { writer: "dead", texts: ["1"] });
    const outcomes = await Promise.allSettled(
      manyOf(nodes()).map((node, index) =>
        node.append(key, { stream: 1, writer: `heir ${index}`, replaces: "dead", texts: [`end ${index}`], isLast: true }),
      ),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
    expect(winners).toHaveLength(1);
    const { entries, stream } = await nodes()[1].read(key, 1, { stream: 1 });
    expect(entries).toEqual([{ position: 2, stream: 1, previous: 1, text: `end ${winners[0]}` }]);
    expect(stream).toEqual({ owner: `heir ${winners[0]}`, position: 2, isEnded: true, about: "" });
  });
}

async function refusalOf(node: Backplane, key: string, addition: Parameters<Backplane["append"]>[1]): Promise<StreamRefused> {
  const error = await node.append(key, addition).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StreamRefused);
  return error as StreamRefused; // the line above
}
