// withDeadline: the result of a command, or a rejection after some time.

export async function withDeadline<T>(command: Promise<T>, ms: number): Promise<T> {
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
