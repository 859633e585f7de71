#!/usr/bin/env node
import { main } from './cli/main.ts'
import { keepHeapSmall } from './cli/process.ts'

keepHeapSmall()
// Not process.exit: a pipe may not have taken all of the output yet.
process.exitCode = await main(process.argv.slice(2))
