// What passed over a wire, judged by the published schema of its revision; of use where MCP_SCHEMA_DIR says where those are.
import type { Published } from "../../../../tooling/spec/test/schemas.ts";
import { isObject, type Json, type Wire } from "../../src/protocol.ts";

/** A wire that keeps every text that passes over it. */
export class Recorded implements Wire {
  onText: Wire["onText"];
  onClose: Wire["onClose"];
  readonly sent: string[] = [];
  readonly received: string[] = [];
  readonly #inner: Wire;

  constructor(inner: Wire) {
    this.#inner = inner;
    inner.onText = (text) => {
      this.received.push(text);
      this.onText?.(text);
    };
    inner.onClose = (error) => this.onClose?.(error);
  }

  send(text: string): void {
    this.sent.push(text);
    this.#inner.send(text);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** What is wrong with the server's messages by the revision's schema, which is read from `directory`. */
export async function faultsOf({ sent, received }: Recorded, revision: string, directory: string): Promise<string[]> {
  const { judge } = await import("../../../../tooling/spec/test/messages.ts");
  const schema = await schemaOf(revision, directory);
  const methods = new Map<unknown, unknown>();
  for (const { id, method } of sent.flatMap(messages)) if (method !== undefined) methods.set(id, method);
  const asked = (id: unknown): string | undefined => {
    const method = methods.get(id);
    return typeof method === "string" ? method : undefined;
  };
  return received.flatMap(messages).flatMap((message) => judge(schema, message, asked) ?? []);
}

const schemas = new Map<string, Promise<Published>>();

/** Read and compiled once for all conversations. */
function schemaOf(revision: string, directory: string): Promise<Published> {
  const known =
    schemas.get(revision) ?? import("../../../../tooling/spec/test/schemas.ts").then(({ published }) => published(revision, directory));
  schemas.set(revision, known);
  return known;
}

/** The messages of a text; none when it is no JSON, which the client may send on purpose. */
function messages(text: string): Json[] {
  try {
    return [JSON.parse(text) as unknown].flat().filter(isObject);
  } catch {
    return [];
  }
}
