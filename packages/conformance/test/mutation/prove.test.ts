import { serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Proof, type ProveOptions, prove } from '../../src/mutation/prove.ts'
import { renderProof } from '../../src/mutation/render-proof.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { configuration, openService } from './in-process-sandbox.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it('catches a sample of both kinds, each by its rule and operation', async () => {
  const only = ['example-accepted', 'break-refused', 'responses', 'http']
  const proof = await prove({
    ...configuration,
    transport: service.transport,
    operations: ['checkKey'],
    only,
    sample: 12,
  })
  expect(proof.results.map(({ fault, outcome, foundBy }) => ({ id: fault.id, outcome, foundBy }))).toEqual(
    proof.results.map(({ fault }) => ({
      id: fault.id,
      outcome: expect.stringMatching(/^(killed|noticed)$/),
      foundBy: expect.anything(),
    })),
  )
  expect(new Set(proof.results.map(({ fault }) => fault.kind))).toEqual(new Set(['response', 'request']))
  expect(proof.share).toBeGreaterThan(0.8)
})

it('does not count faults that a configuration excludes', async () => {
  const only = ['example-accepted', 'valid-json']
  const proof = await prove({
    ...configuration,
    transport: service.transport,
    operations: ['checkKey'],
    only,
    sample: 8,
  })
  expect(proof.results.some(({ outcome }) => outcome === 'survived')).toBe(true)
  expect(proof.share).toBeLessThan(1)
})

it('reports what was not caught, and what to do', () => {
  const fault = {
    id: 'response:checkKey:200:/ispb dropped',
    kind: 'response',
    operation: 'checkKey',
    contract: '/components/schemas/KeyCheck/required',
    rules: ['response-schema'],
    describe: '/ispb is dropped',
    plant: { status: '200', change: () => undefined },
  } as const
  const of = (operation: string, status: string) =>
    ({ ...fault, operation, plant: { status, change: () => undefined } }) as const
  const proof: Proof = {
    total: 3,
    reachable: 2,
    unreached: [
      ...['503', '500'].flatMap((status) => [of('checkKey', status), of('signIn', status)]),
      of('checkKey', '429'),
      { ...of('signIn', ''), plant: { place: 'body', path: '', keyword: '' } },
    ],
    equivalent: [],
    operations: 2,
    sampled: 3,
    results: [
      { fault, outcome: 'survived', foundBy: [], hiddenBy: [], planted: 4 },
      {
        fault,
        outcome: 'hidden',
        foundBy: [],
        hiddenBy: ['response-schema:checkKey:00000000'],
        planted: 4,
      },
      { fault, outcome: 'killed', foundBy: ['response-schema'], hiddenBy: [], planted: 4 },
    ],
    share: 0.5,
    findings: [],
  }
  const contract = '/components/schemas/KeyCheck/required'
  expect(renderProof(proof).split('\n')).toEqual([
    '1 of 2 faults were killed by their rule (50.0 %), 0 were noticed by another rule, 1 survived.',
    '1 more is not counted, because the service has findings without any fault that hide it.',
    'The selected operations have 3 faults: 2 can show in this configuration, 6 were not reached, 0 make no difference.',
    '',
    `outcome   operation  what the service does  ${'contract'.padEnd(contract.length)}  what to do`,
    `survived  checkKey   /ispb is dropped       ${contract}  Include response-schema for this operation.`,
    `hidden    checkKey   /ispb is dropped       ${contract}  Fix response-schema:checkKey:00000000 first, which shows without the fault too.`,
    '',
    'Statuses never returned: 500, 503: all 2 operations; 429: checkKey.',
    'Never sent with a valid body: signIn.',
  ])
})

it.each([
  ['while faults are tried', 1],
  ['before any was', 0],
])('takes no fault for missed that an abort left untried: %s', async (_, done) => {
  const controller = new AbortController()
  const stop = () => controller.abort('Ctrl-C')
  const send: Transport['send'] = (call) => {
    if (done === 0) stop()
    return service.transport.send(call)
  }
  const proof = await prove({
    ...configuration,
    transport: { ...service.transport, send },
    operations: ['checkKey'],
    only: ['example-accepted', 'valid-json'],
    sample: 8,
    signal: controller.signal,
    onResult: stop,
  })
  expect(proof).toMatchObject({ interrupted: 'Ctrl-C', results: { length: done } })
  expect(renderProof(proof)).toMatch(
    new RegExp(`^Interrupted \\(Ctrl-C\\): ${done} of ${done * 8} faults were tried\\.\n`),
  )
})

it('does not try faults against a service that no longer responds', async () => {
  let left = 30
  const send: Transport['send'] = (call) =>
    left-- > 0
      ? service.transport.send(call)
      : Promise.resolve({ status: 0, headers: {}, text: 'gone', ms: 0 })
  const only = ['example-accepted', 'http']
  const proof = await prove({ ...configuration, transport: { ...service.transport, send }, only, sample: 3 })
  expect(proof).toMatchObject({ interrupted: expect.stringContaining('gone'), results: [] })
})

it('keeps to the rate', async () => {
  const handledAt: number[] = []
  const observe = { handled: () => void handledAt.push(performance.now()) }
  const sandbox = await serve({ port: 0, limitsRates: false, observe })
  onTestFinished(() => sandbox.close())
  const rate = 20
  const only = ['credentials-required']
  const { url } = sandbox
  await prove({ ...configuration, url, rate, only, operations: ['listUsers'], sample: 0 })
  const [first = 0, last = 0] = [handledAt.at(0), handledAt.at(-1)]
  expect(handledAt.length).toBeGreaterThan(4)
  expect(last - first).toBeGreaterThanOrEqual(((handledAt.length - 2) / rate) * 1000 * 0.9)
})
it('refuses an unknown option', async () => {
  await expect(prove({ ...configuration, faults: 3 } as ProveOptions)).rejects.toThrow(
    'prove has no option "faults"; it has url, ',
  )
})
