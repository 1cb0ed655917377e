// Parses JSON and keeps numbers that JavaScript cannot represent as they were written.

export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && String(value) !== source ? rawJson(source) : value;
  });
}

const rawJson = (source: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source); // in every supported Node
