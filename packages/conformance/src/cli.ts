#!/usr/bin/env node
import { keepHeapSmall } from './cli/heap.ts'
import { main } from './cli/main.ts'

keepHeapSmall()
// Not process.exit: a pipe may not have taken all of the output yet.
process.exitCode = await main(process.argv.slice(2))
