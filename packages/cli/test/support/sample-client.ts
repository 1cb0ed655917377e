/** What tests do with the sample server, whether it runs as a process or in memory. */

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Answer {
  id?: unknown;
  result?: { content?: { text: string }[]; tools?: { name: string }[] };
  error?: { code: number; message: string };
}

export abstract class SampleClient {
  stdout = "";
  stderr = "";
  #id = 0;
  #output = Promise.withResolvers<false>();

  abstract readonly ended: Promise<Ended>;

  /** Closes the input, and waits for the end. */
  abstract end(): Promise<Ended>;

  protected abstract sendLine(text: string): void;

  protected receive(stream: "stdout" | "stderr", text: string): void {
    this[stream] += text;
    this.#output.resolve(false);
    this.#output = Promise.withResolvers();
  }

  async until(stream: "stdout" | "stderr", pattern: RegExp): Promise<void> {
    while (!pattern.test(this[stream])) {
      const hasEnded = await Promise.race([this.#output.promise, this.ended.then(() => true)]);
      if (hasEnded && !pattern.test(this[stream])) throw new Error(`ended without ${pattern} on ${stream}: ${this.stderr}`);
    }
  }

  send(method: string, params: object = {}): number {
    const id = ++this.#id;
    this.sendLine(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return id;
  }

  async request(method: string, params: object = {}): Promise<Answer> {
    const id = this.send(method, params);
    await this.until("stdout", new RegExp(`"id":${id}[,}].*\n`));
    const line = this.stdout.split("\n").find((text) => text.includes(`"id":${id},`) || text.includes(`"id":${id}}`));
    return JSON.parse(line ?? "") as Answer; // what the tests look into
  }

  async handshake(): Promise<this> {
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } });
    this.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return this;
  }

  async tools(): Promise<string[]> {
    return ((await this.request("tools/list")).result?.tools ?? []).map(({ name }) => name);
  }

  /** What the server made of its command line. */
  async options(): Promise<Record<string, unknown>> {
    const { result } = await this.request("tools/call", { name: "show_options" });
    return JSON.parse(result?.content?.[0]?.text ?? "") as Record<string, unknown>; // the fixture prints an object
  }
}
