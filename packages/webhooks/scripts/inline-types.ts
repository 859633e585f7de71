// Puts the contract's types beside the package's own, so that it can be installed alone.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const events = new URL('../dist/events.d.ts', import.meta.url)
const contract = fileURLToPath(new URL('../../../spec/dist/openapi.d.ts', import.meta.url))

copyFileSync(contract, new URL('../dist/contract.d.ts', import.meta.url))
const text = readFileSync(events, 'utf8')
const inlined = text.replace("'@partner-payments/spec'", "'./contract.js'")
if (inlined === text) throw new Error('dist/events.d.ts does not import the types of the contract')
writeFileSync(events, inlined)
