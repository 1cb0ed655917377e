// The rules of messages: who gets them, and what the engine sends by itself.
import { randomUUID } from "node:crypto";
import type { Backplane } from "@oarlock/cluster/backplane";
import { expect, test } from "vitest";
import { newRecord, type Nodes } from "./nodes.ts";

export function testMessages(nodes: () => Nodes): void {
  test("a message reaches all subscribers of its topic, those of the own node included", async () => {
    const topic = randomUUID();
    const heard = await Promise.all(nodes().map((node) => listen(node, topic)));
    const another = await listen(nodes()[1], randomUUID());
    await nodes()[0].publish(topic, "one");
    for (const { messages } of heard) await expect.poll(() => messages).toEqual(["one"]);
    expect(another.messages).toEqual([]);
    for (const { stop } of [...heard, another]) stop();
  });

  test("messages of one node arrive in their order", async () => {
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
  ])("a message arrives unchanged: %s", async (_title, text) => {
    const [node, other] = nodes();
    const topic = `news ${randomUUID()} 'é*?[a]`;
    const { messages, stop } = await listen(other, topic);
    await node.publish(topic, text);
    await expect.poll(() => messages).toEqual([text]);
    stop();
  });

  test("a subscriber that stops gets nothing more, and others of the topic still do", async () => {
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

  test("subscribers come and go in any order without losing the others' messages", async () => {
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

  test("an addition publishes the last position to the subscribers of the key", async () => {
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

  test("a drop publishes an empty text to the subscribers of the key", async () => {
    const [node, other] = nodes();
    const key = await newRecord(node);
    const { messages, stop } = await listen(other, key);
    await node.drop(key);
    await expect.poll(() => messages).toEqual([""]);
    stop();
  });

  test("a subscriber misses nothing while the engine answers", async () => {
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
