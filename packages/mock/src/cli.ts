#!/usr/bin/env node
import * as module from 'node:module'

// Stores the compiled modules in the system's temporary folder, which makes later starts a seventh faster.
module.enableCompileCache()
// A static import would be loaded before the cache is enabled.
const { main } = await import('./main.ts')
await main(process.argv.slice(2))
