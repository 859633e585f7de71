import { type Bench, opsPerSecond, type Row } from '@partner-payments/bench'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { createValidator, type Operation } from '../src/index.ts'
import { backendOf, type Peer, prismOf } from './peers.ts'

const ours = '@partner-payments/validator'
const path = '/mobile-bff/v1/pix/out/'
const type = { 'content-type': 'application/json' }
const request = contract.components.examples.payKey.value
const answer = contract.components.examples.keySettled.value
const headers = { ...type, 'x-request-id': 'req_1' }
const wrong = { request: { ...request, dict_key: 7 }, answer: { ...answer, status: 7 } }

/**
 * Messages validated, and operations found, in a second, and the time from a document to the first verdict. One peer
 * reads OpenAPI 3.1 as 3.0 and leaves out what stands beside a `$ref`, so it does less than is asked.
 */
export const bench: Bench = {
  title: 'validator: requests, answers and operations',
  run: async () => [
    ...(await messages()),
    ...rows(
      'find one of 20 operations',
      await opsPerSecond(finders(contract, '/mobile-bff/v1/partner/user/17')),
    ),
    ...rows(
      'find one of 1,000 operations',
      await opsPerSecond(finders(documentOf(1000), '/area/17/room/435/door/9')),
    ),
    ...(await starts()),
  ],
}

async function messages(): Promise<Row[]> {
  const peers = [oursOf(), backendOf(contract), await prismOf(contract)]
  for (const peer of peers) confirm(peer)
  const works = (of: (peer: Peer) => () => unknown) =>
    Object.fromEntries(peers.map((peer) => [peer.name, of(peer)]))
  return [
    ...rows('a right request', await opsPerSecond(works((peer) => () => peer.request(request)))),
    ...rows('a wrong request', await opsPerSecond(works((peer) => () => peer.request(wrong.request)))),
    ...rows('a right answer', await opsPerSecond(works((peer) => () => peer.answer(answer)))),
    ...rows('a wrong answer', await opsPerSecond(works((peer) => () => peer.answer(wrong.answer)))),
  ]
}

function oursOf(): Peer {
  const validator = createValidator()
  const operation = validator.operations.find(({ id }) => id === 'createTransfer') as Operation
  return {
    name: ours,
    request: (body) => validator.validateRequest({ method: 'POST', path, headers: type, body }).length === 0,
    answer: (body) => validator.validateResponse(operation, { status: 201, headers, body }).length === 0,
  }
}

/** A validator that finds everything right is fast. */
function confirm(peer: Peer): void {
  const verdicts = [
    peer.request(request),
    !peer.request(wrong.request),
    peer.answer(answer),
    !peer.answer(wrong.answer),
  ]
  if (verdicts.includes(false)) throw new Error(`${peer.name} gives another verdict: ${verdicts.join()}`)
}

function finders(document: object, found: string): Record<string, () => unknown> {
  const validator = createValidator(document)
  const backend = backendOf(document)
  const works = {
    [ours]: () => validator.findOperation('GET', found).found,
    [backend.name]: () => backend.find('GET', found),
  }
  for (const [name, work] of Object.entries(works))
    if (!work()) throw new Error(`${name} does not find ${found}`)
  return works
}

/** Half of the paths concrete, half with parameters. */
function documentOf(count: number): object {
  const paths = Array.from({ length: count / 2 }, (_, i) => [
    [`/area/${i}/room`, { get: { operationId: `list${i}`, responses: {} } }],
    [`/area/{area}/room/${i}/door/{door}`, { get: { operationId: `show${i}`, responses: {} } }],
  ])
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: Object.fromEntries(paths.flat()) }
}

async function starts(): Promise<Row[]> {
  const start = (make: () => Peer | Promise<Peer>) => async () => {
    const started = performance.now()
    ;(await make()).request(request)
    return performance.now() - started
  }
  const values = {
    [ours]: await median(start(oursOf)),
    'openapi-backend': await median(start(() => backendOf(contract))),
    prism: await median(start(() => prismOf(contract))),
  }
  return rows('from the contract to the first verdict', values, 'ms')
}

async function median(measure: () => Promise<number>): Promise<number> {
  const measured: number[] = []
  for (let i = 0; i < 11; i++) measured.push(await measure())
  return measured.toSorted((a, b) => a - b)[5] ?? Number.NaN
}

function rows(figure: string, values: Record<string, number>, unit = '/s'): Row[] {
  return Object.entries(values).map(([subject, value]) => ({
    ...{ figure, subject, value, unit },
    better: unit === 'ms' ? 'lower' : 'higher',
    ...(subject === ours && { ours: true as const }),
  }))
}
