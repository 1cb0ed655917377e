// Task relay: brings the client requests of a task to a `tasks/result` on another node, by the log of the task's record.
import type { TaskStore } from "@oarlock/extensions/tasks";
import type { Backplane } from "../backplane/backplane.ts";

/** The key of a task's record, which is the topic of its changes too. */
export const keyOfTask = (id: string): string => `t:${id}`;

const WRITER = "task";
const STREAM = 1;

/** Keeps a client request for readers on other nodes. When that fails, the client request reaches its time limit. */
export async function relay(backplane: Backplane, id: string, text: string): Promise<void> {
  await backplane.append(keyOfTask(id), { stream: STREAM, writer: WRITER, texts: [text] }).catch(() => undefined);
}

/** Sends the client requests of a task, those so far and those that follow, until the returned function is called. */
export function readRelay(backplane: Backplane, store: TaskStore, id: string, send: (text: string) => void): () => void {
  let last = 0;
  let reading = Promise.resolve();
  let isStopped = false;
  const read = async (): Promise<void> => {
    const { entries } = await backplane.read(keyOfTask(id), last);
    for (const { position, text } of entries) {
      last = position;
      if (!isStopped) send(text);
    }
  };
  // One after the other, as each begins where the last one ended.
  const readOn = (): void => void (reading = reading.then(read).catch(() => undefined));
  const unwatch = store.watch(id, readOn); // the log has the topic of the record
  readOn();
  return () => {
    isStopped = true;
    unwatch();
  };
}
