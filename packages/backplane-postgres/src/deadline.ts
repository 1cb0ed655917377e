// withDeadline: the result of a query, or a rejection after some time.

export async function withDeadline<T>(query: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`PostgreSQL did not answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([query, expired]);
  } finally {
    clearTimeout(timer);
  }
}
