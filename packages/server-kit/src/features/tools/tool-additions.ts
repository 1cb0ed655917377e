// ToolAddition: what an extension adds to the definition of a tool. The core carries it, and the extension reads it.

/** What an extension adds to a tool, for `tool({ extensions: [...] })`. A function of the extension makes it. */
export interface ToolAddition {
  /** The id of the extension that reads it. */
  readonly extension: string;
  /** What that extension has to know of the tool. */
  readonly value: unknown;
  /** False for a tool that models should not call, so that no error suggests it to them. Default true. */
  readonly isForModels?: boolean;
  /** What to do where the server lacks the extension, as a sentence of the error. Default: there the addition has no effect. */
  readonly requires?: string;
}

/** What the extension with this id has added to a tool; undefined for nothing. */
export const additionOf = ({ extensions }: { readonly extensions: readonly ToolAddition[] }, id: string): unknown =>
  extensions.find(({ extension }) => extension === id)?.value;

/** Throws a TypeError when an extension has added something twice. */
export function checkAdditions(additions: readonly ToolAddition[], owner: string): void {
  const ids = additions.map(({ extension }) => extension);
  const twice = ids.find((id, at) => ids.indexOf(id) < at);
  if (twice !== undefined) throw new TypeError(`${owner} has two additions of the extension ${twice}. Keep one of them.`);
}
