// Plants faults that are drawn from the contract in the traffic of a sandbox, one by one, and says which are named.
//   node scripts/prove.ts [--sample 300 | --all] [--seed 1] [--json]
import { parseArgs } from 'node:util'
import { createApp } from '@partner-payments/sandbox'
import { configuration } from '../bench/configuration.ts'
import { createFetchTransport, prove, renderProof } from '../src/index.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
})
const app = await createApp({ allowLoopback: true, limitsRates: false })
const proof = await prove({
  ...configuration,
  url: 'http://127.0.0.1',
  transport: createFetchTransport(app.fetch),
  seed: Number(values.seed),
  sample: values.all ? Number.POSITIVE_INFINITY : Number(values.sample),
  onResult({ fault, outcome }, done, of) {
    if (outcome !== 'killed' || done % 25 === 0)
      process.stderr.write(`${done}/${of} ${outcome} ${fault.id}\n`)
  },
})
await app.close()
console.log(values.json ? JSON.stringify(proof) : renderProof(proof))
