// An empty header cell becomes a plain cell, so that screen readers do not announce it.

interface Token {
  readonly type: string;
  readonly content: string;
  tag: string;
}

export function emptyHeadersToCells({ tokens }: { tokens: Token[] }): void {
  for (const [index, token] of tokens.entries()) {
    const [content, close] = [tokens[index + 1], tokens[index + 2]];
    if (token.type !== "th_open" || content?.content !== "" || close === undefined) continue;
    token.tag = "td";
    close.tag = "td";
  }
}
