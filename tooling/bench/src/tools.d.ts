/** tools.js is plain JavaScript, since the floor and the peers start from it as it stands. */
export declare const tools: readonly { name: string; description: string; inputSchema: Record<string, unknown> }[];
