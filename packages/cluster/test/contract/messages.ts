// The rules of messages: who gets them, and what the engine sends by itself.
import { randomUUID } from "node:crypto";
import type { Backplane } from "../../src/backplane.ts";
import { expect, test } from "vitest";
import { newRecord, type Nodes } from "./nodes.ts";

export function testMessages(nodes: () => Nodes): void {
  test("delivers a message to all subscribers of its topic, of the own node too", async () => {
    const topic = randomUUID();
    const heard = await Promise.all(nodes().map((node) => listen(node, topic)));
    const another = await listen(nodes()[1], randomUUID());
    await nodes()[0].publish(topic, "one");
    for (const { messages } of heard) await expect.poll(() => messages).toEqual(["one"]);
    expect(another.messages).toEqual([]);
    for (const { stop } of [...heard, another]) stop();
  });

  test("delivers the messages of one node in order", async () => {
    const [node, other] = nodes();
    const topic = randomUUID();
    const { messages, stop } = await listen(other, topic);
    const sent = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    for (const text of sent) await node.publish(topic, text);
    await expect.poll(() => messages).toEqual(sent);
    stop();
  });

  test.each([
    ["spaces and line breaks", " a\n b "],
    ["an empty text", ""],
    ["quotes", "'\"\\$1"],
    ["other scripts", "é € 漢字 😀"],
    ["4,000 bytes", "€".repeat(1333)],
  ])("delivers a message unchanged: %s", async (_title, text) => {
    const [node, other] = nodes();
    const topic = `news ${randomUUID()} 'é*?[a]`;
    const { messages, stop } = await listen(other, topic);
    await node.publish(topic, text);
    await expect.poll(() => messages).toEqual([text]);
    stop();
  });

  test("delivers nothing to a subscriber that stopped, only to the others", async () => {
    const [node, other] = nodes();
    const topic = randomUUID();
    const [stopped, kept] = [await listen(other, topic), await listen(other, topic)];
    stopped.stop();
    stopped.stop();
    await node.publish(topic, "1");
    await expect.poll(() => kept.messages).toEqual(["1"]);
    kept.stop();
    const again = await listen(other, topic);
    await node.publish(topic, "2");
    await expect.poll(() => again.messages).toEqual(["2"]);
    expect([stopped.messages, kept.messages]).toEqual([[], ["1"]]);
    again.stop();
  });

  test("loses no message while other subscribers come and go", async () => {
    const [node, other] = nodes();
    const topic = randomUUID();
    for (let round = 0; round < 20; round++) {
      const first = await listen(other, topic);
      const second = listen(other, topic);
      first.stop();
      const { messages, stop } = await second;
      await node.publish(topic, `round ${round}`);
      await expect.poll(() => messages).toEqual([`round ${round}`]);
      stop();
    }
  });

  test("publishes the last position of an addition to the subscribers of the key", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    const { messages, stop } = await listen(other, key);
    await node.append(key, { writer: "a", texts: ["1", "2"] });
    await expect.poll(() => messages).toEqual(["2"]);
    expect((await other.read(key, 0)).entries).toHaveLength(2);
    await node.append(key, { writer: "a", texts: ["3"] });
    await expect.poll(() => messages).toEqual(["2", "3"]);
    stop();
  });

  test("publishes an empty text for a drop to the subscribers of the key", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    const { messages, stop } = await listen(other, key);
    await node.drop(key);
    await expect.poll(() => messages).toEqual([""]);
    stop();
  });

  test("reports nothing as missed while the engine answers", async () => {
    const [node, other] = nodes();
    const topic = randomUUID();
    const { messages, missed, stop } = await listen(other, topic);
    await node.publish(topic, "1");
    await expect.poll(() => messages).toEqual(["1"]);
    expect(missed()).toBe(0);
    stop();
  });
}

/** A subscriber that keeps its messages and counts the calls of `onMissed`. */
export async function listen(node: Backplane, topic: string): Promise<{ messages: string[]; missed: () => number; stop: () => void }> {
  const messages: string[] = [];
  let missed = 0;
  const stop = await node.subscribe(
    topic,
    (text) => messages.push(text),
    () => missed++,
  );
  return { messages, missed: () => missed, stop };
}
