// FieldClient: one client of the field, behind the few methods that the trial of clients needs.

/** The server that a client connects to. */
export type Target =
  | { readonly over: "stdio"; readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly over: "http"; readonly url: string };

export type Over = Target["over"];

/** Accepts an elicitation, and counts it. */
export type Elicit = (message: string) => { action: "accept"; content: Record<string, boolean> };

export interface Surroundings {
  readonly elicit: Elicit;
  /** An empty folder for the files of the client, in place of the user's home. */
  readonly home: string;
}

export interface FieldSession {
  /** The names of the tools, as the client presents them. */
  list(): Promise<readonly string[]>;
  /** The text that a model would see of the result, also of a failed call. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
  read?(uri: string): Promise<string>;
  close(): Promise<void>;
}

/** A step of the trial, and a column of the table. */
export const STEPS = ["list", "call", "read", "error", "long call", "elicitation", "end"] as const;
export type Step = (typeof STEPS)[number];

export interface FieldClient {
  readonly name: string;
  readonly kind: string;
  /** Why the client cannot take a step, or the other transport. */
  readonly cannot: Partial<Record<Step | Over, string>>;
  /** True for a client that shows only whether it is connected. */
  readonly connectsOnly?: boolean;
  connect(target: Target, surroundings: Surroundings): Promise<FieldSession>;
}

/** The transports of a client. */
export const transportsOf = ({ cannot }: Pick<FieldClient, "cannot">): Over[] =>
  (["stdio", "http"] as const).filter((over) => cannot[over] === undefined);

/** All text of a result, in any shape that the libraries give it. */
export function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  const { content, contents } = (result ?? {}) as { content?: unknown; contents?: unknown }; // an object, or a value without these two
  const blocks = content ?? contents ?? result;
  if (!Array.isArray(blocks)) return JSON.stringify(blocks ?? "");
  return (blocks as { text?: string; value?: string }[]) // content blocks, or what a library made of them
    .map((block) => block.text ?? block.value ?? JSON.stringify(block))
    .join("\n");
}

/** Libraries throw for a failed call: the model then sees the message. */
export async function textOfCall(call: unknown): Promise<string> {
  try {
    return textOf(await call);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The tool with this name, out of a library's list or record of them. */
export function existing<Tool>(tool: Tool | undefined, name: string): Tool {
  if (tool === undefined) throw new Error(`The client does not list the tool ${name}.`);
  return tool;
}
