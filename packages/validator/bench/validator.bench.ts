import { type Bench, medians, opsPerSecond, type Row, rowsOf } from '@partner-payments/bench'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { createValidator, type Operation } from '../src/index.ts'
import { createBackendPeer, createPrismPeer, type Peer } from './peers.ts'

const ours = '@partner-payments/validator'
const path = '/mobile-bff/v1/pix/out/'
const type = { 'content-type': 'application/json' }
const request = contract.components.examples.payKey.value
const response = contract.components.examples.keySettled.value
const headers = { ...type, 'x-request-id': 'req_1' }
const wrong = { request: { ...request, dict_key: 7 }, response: { ...response, status: 7 } }

/**
 * Measures validated messages and found operations per second, and the time from a document to the
 * first result. One peer reads OpenAPI 3.1 as 3.0 and ignores keywords beside `$ref`, so it does
 * less work.
 */
export const bench: Bench = {
  title: 'validator: requests, responses and operations',
  run: async () => [
    ...(await measureMessages()),
    ...(await measureLookUps(
      'find one of 20 operations',
      contract,
      '/mobile-bff/v1/partner/user/17',
    )),
    ...(await measureLookUps(
      'find one of 1,000 operations',
      createDocument(1000),
      '/area/17/room/435/door/9',
    )),
    ...(await measureStarts()),
  ],
}

/** Measures how many messages ours and the peers validate per second. */
async function measureMessages(): Promise<Row[]> {
  const peers = [createOurPeer(), createBackendPeer(contract), await createPrismPeer(contract)]
  for (const peer of peers) requireRightResults(peer)
  const messages: Readonly<Record<string, (peer: Peer) => boolean>> = {
    'a valid request': (peer) => peer.request(request),
    'an invalid request': (peer) => peer.request(wrong.request),
    'a valid response': (peer) => peer.response(response),
    'an invalid response': (peer) => peer.response(wrong.response),
  }
  const rows: Row[] = []
  for (const [figure, work] of Object.entries(messages)) {
    const works = peers.map((peer) => [peer.name, () => work(peer)] as const)
    rows.push(...rowsOf(figure, '/s', await opsPerSecond(Object.fromEntries(works))))
  }
  return rows
}

/** Our validator, in the form in which the benchmark compares validators. */
function createOurPeer(): Peer {
  const validator = createValidator()
  const operation = validator.operations.find(({ id }) => id === 'createTransfer') as Operation
  return {
    name: ours,
    request: (body) =>
      validator.validateRequest({ method: 'POST', path, headers: type, body }).length === 0,
    response: (body) =>
      validator.validateResponse(operation, { status: 201, headers, body }).length === 0,
  }
}

/** Fails if a validator has a wrong result: one that accepts everything would be fast. */
function requireRightResults(peer: Peer): void {
  const verdicts = [
    peer.request(request),
    !peer.request(wrong.request),
    peer.response(response),
    !peer.response(wrong.response),
  ]
  if (verdicts.includes(false))
    throw new Error(`${peer.name} gives different results: ${verdicts.join()}`)
}

/** Measures how many operations ours and a peer find per second, by method and path. */
async function measureLookUps(figure: string, document: object, path: string): Promise<Row[]> {
  const validator = createValidator(document)
  const backend = createBackendPeer(document)
  const works = {
    [ours]: () => validator.findOperation('GET', path).found,
    [backend.name]: () => backend.find('GET', path),
  }
  for (const [name, work] of Object.entries(works))
    if (!work()) throw new Error(`${name} does not find ${path}`)
  return rowsOf(figure, '/s', await opsPerSecond(works))
}

/** A document with a number of operations. Half of the paths are concrete, half have parameters. */
function createDocument(count: number): object {
  const paths = Array.from({ length: count / 2 }, (_, i) => [
    [`/area/${i}/room`, { get: { operationId: `list${i}`, responses: {} } }],
    [`/area/{area}/room/${i}/door/{door}`, { get: { operationId: `show${i}`, responses: {} } }],
  ])
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(paths.flat()),
  }
}

/** Measures the milliseconds from the contract to the first validated request. */
async function measureStarts(): Promise<Row[]> {
  const creations: Record<string, () => Peer | Promise<Peer>> = {
    [ours]: createOurPeer,
    'openapi-backend': () => createBackendPeer(contract),
    prism: () => createPrismPeer(contract),
  }
  const values = await medians(creations, async (create) => {
    const started = performance.now()
    ;(await create()).request(request)
    return performance.now() - started
  })
  return rowsOf('from the contract to the first result', 'ms', values)
}
