// The messages between the page of the playground and the worker that runs the server.

/** A request that the user sends to the server. The method decides what target and arguments mean. */
export interface UserRequest {
  readonly method: "tools/call" | "resources/read" | "prompts/get" | "completion/complete";
  /** Name of the tool or prompt, URI of the resource, or URI template of the completion. */
  readonly target: string;
  /** JSON. Of a completion: the one argument with its partial value. */
  readonly arguments: string;
}

/** One request, response or event on the wire. */
export interface WireEntry {
  readonly direction: "request" | "response";
  /** Such as `POST /mcp`, `200`, or `event: message`. */
  readonly title: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; JSON is indented. */
  readonly body: string;
}

/** What the server lists. */
export interface Offer {
  readonly tools: readonly string[];
  readonly resources: readonly string[];
  readonly templates: readonly string[];
  readonly prompts: readonly string[];
}

/** A form that the server has for the user. */
export interface Elicitation {
  readonly id: number;
  readonly message: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly defaults: Readonly<Record<string, unknown>>;
}

export interface ElicitationAnswer {
  readonly action: "accept" | "decline";
  readonly content?: Record<string, unknown>;
}

export type ToWorker =
  | { readonly kind: "run"; readonly code: string; readonly revision: string }
  | { readonly kind: "send"; readonly request: UserRequest }
  | { readonly kind: "answer"; readonly id: number; readonly answer: ElicitationAnswer }
  | { readonly kind: "ping" };

/** That the worker has loaded, and that it still responds. */
export type SignOfLife = { readonly kind: "loaded" } | { readonly kind: "pong" };

export type ServerEvent =
  | { readonly kind: "wire"; readonly entry: WireEntry }
  | { readonly kind: "connected"; readonly server: string; readonly revision: string; readonly offer: Offer }
  | { readonly kind: "elicitation"; readonly elicitation: Elicitation }
  | { readonly kind: "result"; readonly text: string }
  /** The code, the connection or a request has failed; the server goes on if it has started. */
  | { readonly kind: "failed"; readonly message: string }
  /** The operator's log of the server. */
  | { readonly kind: "log"; readonly text: string };

export type FromWorker = SignOfLife | ServerEvent;
