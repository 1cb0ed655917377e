// engineSize: how much a Valkey or PostgreSQL holds.
import { Client } from "pg";
import { sendValkey } from "./valkey.ts";

/** Bytes of memory that a Valkey uses for data, or bytes of the tables and indexes of a PostgreSQL database. */
export async function engineSize(url: string): Promise<number> {
  if (url.startsWith("postgres")) return databaseSize(url);
  const reply = await sendValkey(Number(new URL(url).port), "INFO memory");
  const bytes = /used_memory_dataset:(\d+)/.exec(reply)?.[1];
  if (bytes === undefined) throw new Error(`Valkey replied without used_memory_dataset: ${reply.slice(0, 200)}`);
  return Number(bytes);
}

async function databaseSize(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}
