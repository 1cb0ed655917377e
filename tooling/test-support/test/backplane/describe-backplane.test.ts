// The contract of a backplane, on the one in memory.
import { MemoryBackplane } from "@oarlock/cluster/backplane";
import { describeBackplane } from "../../src/backplane/describe-backplane.ts";

const shared = new MemoryBackplane();

describeBackplane("MemoryBackplane", async () => shared);
