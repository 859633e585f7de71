#!/usr/bin/env node
import { main } from './main.ts'

// In a clone, the command is a script of the repository.
const name =
  process.env.npm_lifecycle_event === 'check' ? 'npx -y pnpm@12 check' : 'partner-payments-check'
// Unlike process.exit, this lets a pipe read all of the output.
process.exitCode = await main(process.argv.slice(2), { name })
