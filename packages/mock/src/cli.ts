#!/usr/bin/env node
import * as module from 'node:module'

// Stores the compiled modules in the system's temporary folder, which makes later starts a seventh
// faster.
module.enableCompileCache()
// A static import would be loaded before the cache is enabled.
const { main } = await import('./main.ts')
// In a clone, the command is a script of the repository.
const name =
  process.env.npm_lifecycle_event === 'mock' ? 'npx -y pnpm@12 mock' : 'partner-payments-mock'
process.exitCode = await main(process.argv.slice(2), { name })
// At once, since a program that is killed stores nothing.
module.flushCompileCache()
