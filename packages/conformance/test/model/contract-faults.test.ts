import { type App, createApp } from '@partner-payments/sandbox'
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Result } from '../../src/engine/result.ts'
import { readContract } from '../../src/model/contract.ts'
import { withValueAt } from '../../src/model/document.ts'
import { checkHar } from '../../src/traffic/har.ts'
import { checkInProcess, inProcess, type Service } from '../in-process-transport.ts'

const SHOWN = '/components/schemas/Webhook/properties'
/** A pointer, its wrong value, and what the error says. */
const EDITS: readonly (readonly [string, unknown, string])[] = [
  [`${SHOWN}/partner_id/$ref`, '#/components/schemas/None', 'must refer to a location in the document'],
  [`${SHOWN}/url/pattern`, '(', 'must be a regular expression, got "("'],
  [`${SHOWN}/type/enum`, [], 'must be an array of one value or more, got []'],
  [`${SHOWN}/status/type`, 'strin', 'must be one or more of'],
]

const broken = EDITS.reduce<object>((document, [pointer, value]) => {
  return withValueAt(document, pointer, value) as object
}, openapi)

let sandbox: App
beforeAll(async () => {
  sandbox = await createApp({ allowLoopback: true, limitsRates: false })
})
afterAll(() => sandbox.close())

function judged(contract: object, service: Service): Promise<Result> {
  return checkInProcess(inProcess(service), {
    contract,
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    operations: ['createWebhook', 'getWebhook'],
    only: ['example-accepted', 'break-refused', 'response-schema'],
  })
}

it('reports each error of the contract once with its location, and not as a failure of the service', async () => {
  const { contractFaults = [], findings } = await judged(broken, sandbox.fetch)
  expect(contractFaults.map(({ pointer }) => pointer)).toEqual(EDITS.map(([pointer]) => pointer))
  for (const [i, [, , message]] of EDITS.entries()) expect(contractFaults[i]?.message).toContain(message)
  expect(findings).toEqual([])
})

it('checks everything that the errors do not affect', async () => {
  const careless: Service = async (request) => {
    if (request.method !== 'POST' || !request.url.includes('/webhook')) return sandbox.fetch(request)
    const body = await request.text()
    const isShort = !body.includes('"url"')
    return sandbox.fetch(new Request(request, { body: isShort ? VALID : body }))
  }
  const { findings } = await judged(broken, careless)
  expect(findings.map(({ contract }) => contract)).toContain(
    '/components/schemas/CreateWebhookRequest/required',
  )
})

const VALID = JSON.stringify({ type: 'all', url: 'https://partner.example.com/events' })

it('reports no errors for a valid contract', async () => {
  expect(readContract(openapi).faults).toEqual([])
  expect(await judged(openapi, sandbox.fetch)).not.toHaveProperty('contractFaults')
})

it('also reports them for recorded traffic', async () => {
  const recording = { log: { entries: [] } }
  const { contractFaults } = await checkHar(recording, { contract: broken, baseUrl: 'http://in.process' })
  expect(contractFaults).toHaveLength(EDITS.length)
})
