// What the demo of one server consists of.

export interface DemoView {
  /** The file of the view without `.html`. */
  readonly view: string;
  /** What there is to see, for the list of links. */
  readonly title: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export interface ServerDemo {
  readonly server: "filesystem" | "git" | "memory" | "sqlite";
  /** Writes the data into an empty folder. Returns the command line of the server, and the calls to show. */
  prepare(folder: string): Promise<{ args: string[]; views: DemoView[] }>;
}
