// Calls of tests to a memory server, for every kind of connection.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { Entity, Relation } from "../../src/graph/model.ts";

export interface Answer {
  readonly isError: boolean;
  /** The texts of all blocks. */
  readonly text: string;
  readonly structured: Json | undefined;
}

export interface Graph {
  entities: Entity[];
  relations: Relation[];
}

export abstract class Caller implements AsyncDisposable {
  /** Any request; undefined when the server ends before it has answered. */
  abstract request(method: string, params: Json, deadlineMs?: number): Promise<Answer | undefined>;
  /** The log messages of the server so far. */
  abstract readonly stderr: string;
  abstract [Symbol.asyncDispose](): Promise<void>;

  /** A tool call; undefined when the process ends before the response. */
  attempt(name: string, args: Json = {}, deadlineMs?: number): Promise<Answer | undefined> {
    return this.request("tools/call", { name, arguments: args }, deadlineMs);
  }

  async call(name: string, args: Json = {}, deadlineMs?: number): Promise<Answer> {
    const answer = await this.attempt(name, args, deadlineMs);
    if (answer === undefined) throw new Error(`the server ended during ${name}; stderr: ${this.stderr.slice(-1000)}`);
    return answer;
  }

  /** A call that must succeed; returns its structured result. */
  async does(name: string, args: Json = {}, deadlineMs?: number): Promise<Json> {
    const { isError, text, structured } = await this.call(name, args, deadlineMs);
    if (isError || structured === undefined) throw new Error(`${name}: ${text.slice(0, 1000)}`);
    return structured;
  }

  /** A call that must be refused; returns the message. */
  async refuses(name: string, args: Json = {}): Promise<string> {
    const { isError, text } = await this.call(name, args);
    if (!isError) throw new Error(`${name} was not refused: ${text.slice(0, 1000)}`);
    return text;
  }

  /** One entity without observations for each name. */
  create(...names: string[]): Promise<Json> {
    return this.does("create_entities", { entities: names.map((name) => ({ name, entityType: "t", observations: [] })) });
  }

  /** The whole graph, read page by page. */
  async graph(): Promise<Graph> {
    const whole: Graph = { entities: [], relations: [] };
    for (let cursor: unknown; ;) {
      const page = await this.does("read_graph", cursor === undefined ? {} : { cursor });
      const { entities, relations } = page as unknown as Graph;
      whole.entities.push(...entities);
      whole.relations.push(...relations);
      cursor = page.nextCursor;
      if (cursor === undefined) return whole;
    }
  }

  async names(): Promise<string[]> {
    return (await this.graph()).entities.map(({ name }) => name);
  }
}

export function answerOf({ result, error }: Json): Answer {
  if (isObject(error)) return { isError: true, text: String(error["message"]), structured: undefined };
  if (!isObject(result)) return { isError: true, text: JSON.stringify(result), structured: undefined };
  const content = Array.isArray(result.content) ? result.content : [];
  return {
    isError: result.isError === true,
    text: content.map((block) => (isObject(block) ? String(block.text) : "")).join("\n"),
    structured: isObject(result.structuredContent) ? result.structuredContent : Array.isArray(result.content) ? undefined : result,
  };
}
