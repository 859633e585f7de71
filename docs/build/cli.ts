import { fileURLToPath } from 'node:url'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import facts from '@partner-payments/spec/facts.json' with { type: 'json' }
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { Contract, Questions } from './contract.ts'
import { buildSite, writePages } from './site.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
// The contract's own lint holds the files to these shapes.
await writePages(docs, {
  contract: contract as unknown as Contract,
  guide: guide as unknown as Contract,
  questions: questions as Questions,
  behaviour: behaviour as Behaviour,
  facts,
})
await buildSite(docs)
console.log(`Docs built: ${docs}dist`)
