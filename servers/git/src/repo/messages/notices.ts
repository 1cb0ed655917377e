// Notices of one call: what git warned of, and what the data of the repository cannot tell. The tools add them to their replies.
import { AsyncLocalStorage } from "node:async_hooks";

const notices = new AsyncLocalStorage<Set<string>>();

/** Runs `work`, and returns its value with the notices that were added meanwhile, each once. */
export async function collectNotices<T>(work: () => T | PromiseLike<T>): Promise<{ value: T; collected: string[] }> {
  const collected = new Set<string>();
  const value = await notices.run(collected, async () => await work());
  return { value, collected: [...collected] };
}

/** One line. Outside of a call, such as for a resource, it has no reader. */
export const addNotice = (text: string): void => void notices.getStore()?.add(text);
