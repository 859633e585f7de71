import { serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Proof, prove } from '../../src/prove/prove.ts'
import { renderProof } from '../../src/prove/render.ts'
import { configuration, openService } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it('catches a sample of both kinds, each by its law and operation', async () => {
  const only = ['example-accepted', 'break-refused', 'every answer', 'http']
  const proof = await prove({
    ...configuration,
    wire: service.wire,
    operations: ['checkKey'],
    only,
    sample: 12,
  })
  expect(proof.tried.map(({ fault, outcome, foundBy }) => ({ id: fault.id, outcome, foundBy }))).toEqual(
    proof.tried.map(({ fault }) => ({ id: fault.id, outcome: 'killed', foundBy: expect.anything() })),
  )
  expect(new Set(proof.tried.map(({ fault }) => fault.kind))).toEqual(new Set(['answer', 'check']))
  expect(proof.share).toBe(1)
}, 60_000)

it('does not count what a configuration is blind to', async () => {
  const only = ['example-accepted', 'json-is-json']
  const proof = await prove({
    ...configuration,
    wire: service.wire,
    operations: ['checkKey'],
    only,
    sample: 8,
  })
  expect(proof.tried.some(({ outcome }) => outcome === 'missed')).toBe(true)
  expect(proof.share).toBeLessThan(1)
}, 60_000)

it('says what was not caught, and what to do', () => {
  const fault = {
    id: 'answer:checkKey:200:/ispb dropped',
    kind: 'answer',
    operation: 'checkKey',
    contract: '/components/schemas/KeyCheck/required',
    laws: ['response-schema'],
    describe: '/ispb is dropped',
    plant: { status: '200', change: () => undefined },
  } as const
  const proof: Proof = {
    drawn: 3,
    reachable: 2,
    unreached: [{ ...fault, plant: { status: '503', change: () => undefined } }],
    equivalent: [],
    tried: [
      { fault, outcome: 'missed', foundBy: [], planted: 4 },
      { fault, outcome: 'killed', foundBy: ['response-schema'], planted: 4 },
    ],
    share: 0.5,
    findings: [],
  }
  expect(renderProof(proof).split('\n')).toEqual([
    '1 of 2 faults are named by their law (50.0 %), 0 by another law, 1 by none.',
    'The contract has 3 faults: 2 can show here, 1 are of statuses that were never answered, 0 make no difference.',
    '',
    'outcome  operation  what the service does  contract                               what to do',
    'missed   checkKey   /ispb is dropped       /components/schemas/KeyCheck/required  Let response-schema run on this operation.',
    '',
    'Never answered: checkKey 503.',
  ])
})

it('keeps to the rate', async () => {
  const answered: number[] = []
  const observe = { answered: () => void answered.push(performance.now()) }
  const sandbox = await serve({ port: 0, limitsRates: false, observe })
  onTestFinished(() => sandbox.close())
  const rate = 20
  const only = ['no-auth-refused']
  const { url } = sandbox
  await prove({ ...configuration, url, rate, only, operations: ['listUsers'], sample: 0 })
  const [first = 0, last = 0] = [answered.at(0), answered.at(-1)]
  expect(answered.length).toBeGreaterThan(4)
  expect(last - first).toBeGreaterThanOrEqual(((answered.length - 2) / rate) * 1000 * 0.9)
}, 60_000)
