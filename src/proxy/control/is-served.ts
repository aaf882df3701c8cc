import { connect } from "node:net";

/** What `connect` says where nobody listens. */
const NOBODY = new Set(["ENOENT", "ECONNREFUSED"]);

/** Whether somebody listens on a Unix socket. A file that a killed process left behind is nobody. */
export function isServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    // Anything else, such as a queue that is full, means that there is somebody.
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(!NOBODY.has(error.code ?? "")));
  });
}
