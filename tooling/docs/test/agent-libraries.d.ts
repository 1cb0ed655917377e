/** The parts of agent libraries that READMEs show; the libraries themselves are not installed here. */
interface StdioCommand {
  command: string;
  args?: string[];
}

declare module "@ai-sdk/mcp" {
  export function createMCPClient(options: { transport: object }): Promise<{ tools(): Promise<object> }>;
}

declare module "@ai-sdk/mcp/mcp-stdio" {
  export const Experimental_StdioMCPTransport: new (command: StdioCommand) => object;
}

declare module "@langchain/mcp-adapters" {
  export class MultiServerMCPClient {
    constructor(servers: Record<string, StdioCommand>);
    getTools(): Promise<object[]>;
  }
}
