// Environment: the variables and the output streams that a process is given.
export type Environment = Readonly<Record<string, string | undefined>>;

export interface TextStream {
  /** `done` is called once the text is written. */
  write(text: string, done?: () => void): boolean;
}
