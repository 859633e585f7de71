import { fileURLToPath } from 'node:url'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import facts from '@partner-payments/spec/facts.json' with { type: 'json' }
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { buildDocs } from './buildDocs.ts'
import type { Contract } from './contract.ts'
import type { Questions } from './marks.ts'

const out = fileURLToPath(new URL('../dist', import.meta.url))
// The contract's own lint holds the files to these shapes.
await buildDocs({
  contract: contract as unknown as Contract,
  guide: guide as unknown as Contract,
  questions: questions as Questions,
  behaviour: behaviour as Behaviour,
  facts,
  out,
})
console.log(`Docs built: ${out}`)
