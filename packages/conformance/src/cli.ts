#!/usr/bin/env node
import { main } from './cli/main.ts'

// Unlike process.exit, this lets a pipe read all of the output.
process.exitCode = await main(process.argv.slice(2))
