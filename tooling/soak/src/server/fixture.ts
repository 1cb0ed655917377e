/** The fixture server with the limits of the soak. */
import { createFixture } from "@oarlock-tooling/nodes/fixture";

/** Longer messages are refused; the load sends some. */
export const MESSAGE_BYTES = 512 * 1024;

export const fixture = createFixture({ limits: { messageBytes: MESSAGE_BYTES, timeoutMs: 3000 } });
