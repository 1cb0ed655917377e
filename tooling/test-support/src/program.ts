/** Programs of tooling: help, exit codes, and values of options. */

/** Runs a program to its exit code: with `--help` it prints `help`; 2 with the message of an error, such as a wrong option. */
export async function runMain(help: string, main: (args: string[]) => Promise<number>): Promise<void> {
  // Ends by `exit`, at which programs end the servers that they started.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    return;
  }
  try {
    process.exitCode = await main(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}

/** The number of an option. Throws unless it is above 0. */
export function positiveNumber(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new TypeError(`${option}: expected a number above 0, got ${text}`);
  return number;
}

/** The same for numbers without a fraction. */
export function positiveInteger(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new TypeError(`${option}: expected a whole number above 0, got ${text}`);
  return Number(text);
}

/** The value of an option that has one of a few. */
export function oneOf<T extends string>(option: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new TypeError(`${option}: expected one of ${values.join(", ")}`);
  return found;
}
