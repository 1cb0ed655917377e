// The contract of a backplane, on the one in memory.
import { MemoryBackplane } from "../../src/backplane.ts";
import { describeBackplane } from "./describe-backplane.ts";

const shared = new MemoryBackplane();

describeBackplane("MemoryBackplane", async () => shared);
