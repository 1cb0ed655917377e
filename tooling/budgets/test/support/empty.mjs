// A program that does next to nothing, for comparison; the probe tells at its end.
process.exitCode = 0;
