// RunningServer: the server of the editor and a client connected to it, both in the worker.
import { connect, type Client, type FormRequest } from "@oarlock/client";
import { evaluate } from "./evaluate.ts";
import type { FromWorker, Offer, ElicitationAnswer, UserRequest } from "./messages.ts";
import { recordWire } from "./wire-recorder.ts";

type Post = (message: FromWorker) => void;

/** No request leaves the worker: the address only has to be one that the kit allows. */
const ORIGIN = "http://localhost";

/** The revision with a transport of its own, HTTP+SSE. */
const LEGACY_REVISION = "2024-11-05";

export class RunningServer {
  readonly #post: Post;
  readonly #elicitations = new Map<number, (answer: ElicitationAnswer) => void>();
  #lastId = 0;
  #client: Client | undefined;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Evaluates the code, connects in this revision and lists what the server offers. */
  async start(code: string, revision: string): Promise<void> {
    const handle = await evaluate(code, (level, data) => this.#post({ kind: "log", text: `${level}: ${textOf(data)}` }));
    const fetch = recordWire(handle, (entry) => this.#post({ kind: "wire", entry }));
    const client = await connect(
      { url: `${ORIGIN}${revision === LEGACY_REVISION ? "/sse" : "/mcp"}`, fetch },
      { revision, clientInfo: { name: "playground", version: "1.0.0" }, cache: false, elicit: (form) => this.#elicit(form) },
    );
    this.#client = client;
    const { name, version } = client.serverInfo;
    this.#post({ kind: "connected", server: `${name} ${version}`, revision: client.revision, offer: await offerOf(client) });
  }

  async send({ method, target, arguments: json }: UserRequest): Promise<void> {
    if (this.#client === undefined) throw new Error("The server is not running.");
    const result = await resultOf(this.#client, method, target, parseArguments(json));
    this.#post({ kind: "result", text: JSON.stringify(result, null, 2) });
  }

  answer(id: number, answer: ElicitationAnswer): void {
    this.#elicitations.get(id)?.(answer);
    this.#elicitations.delete(id);
  }

  #elicit({ message, requestedSchema, defaults }: FormRequest): Promise<ElicitationAnswer> {
    const id = ++this.#lastId;
    this.#post({ kind: "elicitation", elicitation: { id, message, schema: requestedSchema, defaults } });
    return new Promise((resolve) => this.#elicitations.set(id, resolve));
  }
}

async function offerOf(client: Client): Promise<Offer> {
  const { tools, resources, prompts } = client.capabilities;
  return {
    tools: tools === undefined ? [] : (await Array.fromAsync(client.tools())).map(({ name }) => name),
    resources: resources === undefined ? [] : (await Array.fromAsync(client.resources())).map(({ uri }) => uri),
    templates: resources === undefined ? [] : (await Array.fromAsync(client.templates())).map(({ uriTemplate }) => uriTemplate),
    prompts: prompts === undefined ? [] : (await Array.fromAsync(client.prompts())).map(({ name }) => name),
  };
}

async function resultOf(client: Client, method: UserRequest["method"], target: string, args: Record<string, unknown>): Promise<unknown> {
  switch (method) {
    case "tools/call":
      return client.call(target, args, { onProgress: () => undefined }); // asks for progress, which the transcript shows
    case "resources/read":
      return client.read(target);
    case "prompts/get":
      return client.prompt(target, texts(args));
    case "completion/complete": {
      const [[name, value] = ["", ""]] = Object.entries(texts(args));
      const ref = target.includes("{") ? ({ type: "ref/resource", uri: target } as const) : ({ type: "ref/prompt", name: target } as const);
      return client.complete(ref, { name, value });
    }
  }
}

function parseArguments(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = json.trim() === "" ? {} : JSON.parse(json);
  } catch (error) {
    throw new Error(`Arguments are not JSON: ${String(error)}`, { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("Arguments invalid: expected a JSON object.");
  return { ...value };
}

const texts = (args: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, textOf(value)]));

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
