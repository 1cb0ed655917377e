// Tests for servers: a page that one process has begun is continued by another one with the same state key.
import { connect, type Command } from "@oarlock/client";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { startHttp, type HttpProcess } from "./http-process.ts";

const KEY = "a key of many characters";
const OLDER_KEY = "an older key of many characters";

/** A server whose tool returns a list in at least two pages. */
export interface PagedWorld extends AsyncDisposable {
  readonly command: Command;
  readonly tool: string;
  readonly args: Json;
  /** The member of the structured result that holds the list. */
  readonly list: string;
}

interface CursorTests {
  /** Whether the key of cursors is kept with the data, so that processes on the same data share it without a switch. */
  readonly isKeyStored?: boolean;
}

/** `open`: a new world for each test. */
export function testSharedCursors(open: () => Promise<PagedWorld>, { isKeyStored = false }: CursorTests = {}): void {
  test.each([KEY, `${OLDER_KEY},${KEY}`])(
    "continues a page of another process that seals with the same key (--state-key %s)",
    async (keys) => {
      await using world = await open();
      await using first = await start(world, KEY);
      await using second = await start(world, keys);
      const page = await call(first, world);
      const expected = await call(first, world, page);
      const continued = await call(second, world, page);
      expect(continued.isError).toBeUndefined();
      expect(membersOf(continued)[world.list]).toEqual(membersOf(expected)[world.list]);
      expect(membersOf(continued)[world.list]).not.toEqual(membersOf(page)[world.list]);
    },
  );

  if (isKeyStored) return;
  test("refuses the cursor of a process with another state key", async () => {
    await using world = await open();
    await using first = await start(world, KEY);
    await using second = await start(world, OLDER_KEY);
    const refused = await call(second, world, await call(first, world));
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("Invalid cursor: it does not belong to this call.");
  });
}

const membersOf = ({ structuredContent }: CallToolResult): Json => (structuredContent ?? {}) as Json; // an object by the schema

const start = ({ command }: PagedWorld, keys: string): Promise<HttpProcess> => startHttp(command, ["--state-key", keys]);

/** Calls the tool, for the page after `page`. */
async function call({ url }: HttpProcess, { tool, args }: PagedWorld, page?: CallToolResult): Promise<CallToolResult> {
  const client = await connect({ url });
  try {
    const cursor = page === undefined ? {} : { cursor: membersOf(page).nextCursor };
    if (page !== undefined) expect(cursor.cursor).toEqual(expect.any(String));
    return await client.call(tool, { ...args, ...cursor });
  } finally {
    await client.close();
  }
}
