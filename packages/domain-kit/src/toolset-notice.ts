// The sentence of a server's instructions that names what its operator can switch on.

/** What the command line says of the tools that are offered. */
export interface ToolSwitches {
  /** Empty: `default`. */
  readonly toolsets?: readonly string[];
  /** Where some are named, the operator chose each tool. */
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
}

/** A toolset that is off by default, and what it is for. */
export interface ToolsetPurpose {
  readonly name: string;
  readonly purpose: string;
  /** What it is for with --read-only; true: the same. Default: nothing. */
  readonly reading?: string | true;
}

/** Begins with a space; "" where nothing is left to switch on. */
export function toolsetNotice(all: readonly ToolsetPurpose[], { toolsets = [], tools = [], readOnly = false }: ToolSwitches = {}): string {
  if (tools.length > 0) return "";
  const off = all.flatMap(({ name, purpose, reading }) => {
    const use = readOnly && reading !== true ? reading : purpose;
    return use === undefined || toolsets.includes(name) ? [] : [`${name} (${use})`];
  });
  if (off.length === 0) return "";
  const listed = [off.slice(0, -1).join(", "), off.at(-1)].filter((part) => part !== "").join(" and ");
  return ` Off, until the operator adds ${off.length === 1 ? "it" : "them"} to --toolsets: ${listed}.`;
}
