#!/usr/bin/env node
import { main } from './main.ts'

// In a clone, the command is a script of the repository.
const name =
  process.env.npm_lifecycle_event === 'sandbox'
    ? 'npx -y pnpm@12 sandbox'
    : 'partner-payments-sandbox'
process.exitCode = await main(process.argv.slice(2), { name })
