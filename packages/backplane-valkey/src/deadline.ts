// withDeadline: the result of a command, or a rejection after some time.

/** How long a command may take. */
export const COMMAND_MS = 1000;

export async function withDeadline<T>(command: Promise<T>, ms = COMMAND_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The engine did not answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([command, expired]);
  } finally {
    clearTimeout(timer);
  }
}
