import { expect, test } from 'vitest'
import { readContract } from '../../src/model/contract.ts'
import { checkHar } from '../../src/traffic/har.ts'
import {
  contractOf,
  createContractService,
  json,
  object,
  response,
  statuses,
  taking,
} from '../foreign/contract-service.ts'
import { checkInProcess, inProcess, type Service } from '../in-process-transport.ts'

/** A contract of notes with a create and a list operation, with additional properties and list parameters. */
function notesWith(properties: Record<string, object>, parameters: readonly object[] = []): object {
  const note = object({ text: { type: 'string', minLength: 1, maxLength: 20 }, ...properties })
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }
  return contractOf(
    {
      '/notes': {
        post: taking(
          { required: true, content: { 'application/json': { schema: ref('Note') } } },
          'addNote',
          { 201: response(ref('Note')) },
          400,
          415,
        ),
        get: {
          operationId: 'notes',
          parameters: [...parameters, limit],
          responses: statuses({ 200: response({ type: 'array', items: ref('Note') }) }, 400),
        },
      },
    },
    { schemas: { Note: note, Error: object({ error: { type: 'string' } }) } },
  )
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

const broken = notesWith(
  {
    size: { type: 'integer', exclusiveMinimum: true, minimum: 1 },
    color: { type: 'string', enum: [] },
    code: { type: 'string', pattern: '(' },
    names: { type: 'object', patternProperties: { '[': {} } },
    extended: { type: 'string', 'x-shown': { type: 5, $ref: '#/none', enum: [] } },
  },
  [{ $ref: '#/components/parameters/none' }],
)
const FAULTS: readonly (readonly [string, string])[] = [
  ['/paths/~1notes/get/parameters/0/$ref', 'must refer to a location in the document'],
  ['/components/schemas/Note/properties/size/exclusiveMinimum', 'must be a number, got true'],
  ['/components/schemas/Note/properties/color/enum', 'must be an array of one value or more, got []'],
  ['/components/schemas/Note/properties/code/pattern', 'must be a regular expression, got "("'],
  [
    '/components/schemas/Note/properties/names/patternProperties/[',
    'must have a regular expression as its name',
  ],
]

/** The same contract without its errors. */
const left = notesWith({ size: {}, color: {}, code: {}, names: {}, extended: { type: 'string' } })
const NOTE = { text: 'a', size: 'x', color: 1, code: '((', names: [], extended: 'x' }
const service = createContractService(left, {
  addNote: ({ body }) => json(201, Object.fromEntries(Object.keys(NOTE).map((name) => [name, body[name]]))),
  notes: () => json(200, [NOTE]),
})

async function judged(contract: object, asked: Service) {
  const transport = inProcess(asked)
  return checkInProcess(transport, { timeMs: 100, contract })
}

test('reports each error of the contract once with its location, and not as a failure of the service', async () => {
  const { contractFaults = [], findings } = await judged(broken, service)
  expect(contractFaults.map(({ pointer }) => pointer)).toEqual(FAULTS.map(([pointer]) => pointer))
  for (const [i, [, message]] of FAULTS.entries()) expect(contractFaults[i]?.message).toContain(message)
  expect(findings).toEqual([])
})

test('checks everything that the errors do not affect', async () => {
  const careless: Service = async (request) => {
    const isPost = request.method === 'POST'
    const text = isPost ? await request.clone().text() : ''
    return isPost && text.includes('"text":""') ? json(201, { ...NOTE, text: '' }) : service(request)
  }
  const { findings } = await judged(broken, careless)
  const minLength = '/components/schemas/Note/properties/text/minLength'
  expect(findings.map(({ contract }) => contract)).toContain(minLength)
})

test('reports no errors for a valid contract', async () => {
  expect(readContract(left).faults).toEqual([])
  expect(await judged(left, service)).not.toHaveProperty('contractFaults')
})

test('also reports them for recorded traffic', async () => {
  const recording = { log: { entries: [] } }
  const { contractFaults } = await checkHar(recording, { contract: broken, baseUrl: 'http://in.process' })
  expect(contractFaults).toHaveLength(FAULTS.length)
})
