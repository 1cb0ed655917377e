// How the disk reports events that are not the failure of a call, such as a trash that cannot be used.

export type LogEvent = (level: "info" | "warning", message: string) => void;

export const ignoreEvent: LogEvent = () => undefined;
