// move between files.
import { moveTests } from "./moves.ts";

moveTests();
