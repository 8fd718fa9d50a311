#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

// `groundmark … | head`: the reader has gone, which is no fault of the run.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await main(process.argv.slice(2));
