// What connectTo shows of a handler that fails, for servers in processes.
import { SAMPLE } from "../fixtures/sample-target.ts";
import { describeServerErrors, testSilence } from "./server-error-cases.ts";

describeServerErrors("stdio", SAMPLE, "stdio");
describeServerErrors("HTTP of a command", SAMPLE.command, "http");
testSilence(SAMPLE, ["stdio"]);
