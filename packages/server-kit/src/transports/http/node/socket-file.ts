// listenOnSocket: listens on a Unix socket, or on a named pipe of Windows, which only the user of this process can connect to.
import { once } from "node:events";
import { lstatSync, unlinkSync } from "node:fs";
import { connect, type Server } from "node:net";

/** Rejects when another process listens there, or when the path is that of another file. The socket of a process that is gone is replaced. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path);
  } catch (error) {
    const isInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isInUse || !(await isAbandoned(path))) throw error;
    unlinkSync(path);
    await listen(server, path);
  }
}

async function listen(server: Server, path: string): Promise<void> {
  const listening = once(server, "listening");
  withPrivateFiles(() => server.listen(path));
  await listening;
}

/** Node makes the file of the socket before `listen` returns. A worker thread cannot set the mask: there the folder has to be private. */
function withPrivateFiles(action: () => void): void {
  let before: number | undefined;
  try {
    before = process.umask(0o177);
  } catch {
    return action();
  }
  try {
    action();
  } finally {
    process.umask(before);
  }
}

/** Whether there is a socket without a listener. */
function isAbandoned(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on("error", (error) => resolve("code" in error && error.code === "ECONNREFUSED"));
  });
}
