import { fileURLToPath } from 'node:url'
import { SPEC } from '@partner-payments/spec/build'
import { buildSite, writePages } from './site.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
await writePages(docs, SPEC)
await buildSite(docs)
console.log(`Docs built: ${docs}dist`)
