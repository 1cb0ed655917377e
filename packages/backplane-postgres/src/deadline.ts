// withDeadline: the result of a query, or a rejection after some time.

/** How long a query may take, with the wait for a connection. */
export const QUERY_MS = 1000;

export async function withDeadline<T>(query: Promise<T>, ms = QUERY_MS): Promise<T> {
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
