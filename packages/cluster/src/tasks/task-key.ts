// The key of a task's record on a backplane, which is the topic of its changes too.
export const keyOfTask = (id: string): string => `t:${id}`;
