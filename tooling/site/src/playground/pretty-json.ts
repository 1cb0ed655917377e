// JSON for people: indented.

/** The text indented if it is JSON, unchanged otherwise. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
