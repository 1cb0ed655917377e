// Types of steps.mjs, which Node 20 runs as it is.
export const root: string;
export const manifest: { readonly packageManager: string; readonly scripts: Readonly<Record<string, string>> };
export function run(
  title: string,
  command: string,
  options?: { readonly env?: Readonly<Record<string, string>>; readonly timeoutMs?: number; readonly isHeld?: boolean },
): Promise<number | undefined>;
export function install(): Promise<number | undefined>;
export function runScript(script: string): Promise<number | undefined>;
