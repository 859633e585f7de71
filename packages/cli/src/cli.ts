#!/usr/bin/env node
import { main } from './main.ts'

// Not process.exit: a pipe may not have taken all of the output yet.
process.exitCode = await main(process.argv.slice(2))
