import { readContract } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import document from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { createExports } from '../exports.ts'
import { createCollection } from '../postman.ts'

interface Script {
  readonly listen: string
  readonly script: { readonly exec: readonly string[] }
}

interface Item {
  readonly name: string
  readonly event: readonly Script[]
  readonly request: { readonly body?: { readonly raw: string } }
}

const { operations } = readContract({ document, behaviour: behaviour as Behaviour })
const files = await createExports()
const collection = files['partner-payments.postman_collection.json'] as {
  readonly item: readonly { readonly item: readonly Item[] }[]
  readonly variable: readonly { readonly key: string; readonly value: string }[]
}
const items = collection.item.flatMap(({ item }) => item)

function itemOf(operationId: string): Item {
  const item = items.find(({ name }) => name.startsWith(`${operationId}:`))
  if (!item) throw new Error(`no request of ${operationId}`)
  return item
}

/** Runs a script of a request as Postman does, and returns what it did. */
function run(operationId: string, listen: string, response?: { code: number; body: unknown }) {
  const { event } = itemOf(operationId)
  const lines = event.filter((script) => script.listen === listen)
  const done = { next: 'continues', isSkipped: false, variables: new Map<string, unknown>() }
  const pm = {
    test: () => {},
    variables: { get: (name: string) => done.variables.get(name) },
    collectionVariables: { set: (name: string, value: unknown) => done.variables.set(name, value) },
    response: {
      code: response?.code,
      json: () => {
        if (typeof response?.body === 'string') throw new SyntaxError('no JSON')
        return response?.body
      },
    },
    execution: {
      setNextRequest: (name: string | null) => {
        done.next = String(name)
      },
      skipRequest: () => {
        done.isSkipped = true
      },
    },
  }
  const code = lines.flatMap(({ script }) => script.exec).join('\n')
  new Function('pm', 'console', code)(pm, { error() {} })
  return done
}

const FOUND = { initiation_id: 'ini_1', dict_key: 'beltrana@example.com' }

it('passes on what a look-up returned', () => {
  const { next, variables } = run('checkKey', 'test', { code: 200, body: FOUND })
  expect(next).toBe('continues')
  expect(variables.get('createTransfer.initiation_id')).toBe('ini_1')
})

it.each([
  {
    title: 'stops after a look-up that failed, and keeps nothing of an earlier run',
    response: { code: 404, body: { ...FOUND, code: 'not_found' } },
  },
  {
    title: 'stops after a look-up that has no initiation_id, and keeps nothing of an earlier run',
    response: { code: 200, body: { dict_key: 'beltrana@example.com' } },
  },
  {
    title: 'stops after a look-up whose initiation_id is null, and keeps nothing of an earlier run',
    response: { code: 200, body: { ...FOUND, initiation_id: null } },
  },
  {
    title: 'stops after a look-up whose response is no JSON, and keeps nothing of an earlier run',
    response: { code: 200, body: '<html>' },
  },
])('$title', ({ response }) => {
  const { next, variables } = run('checkKey', 'test', response)
  expect(next).toBe('null')
  expect(variables.get('createTransfer.initiation_id')).toBe('')
})

it('sends no payment alone without a look-up', () => {
  expect(run('createTransfer', 'prerequest').isSkipped).toBe(true)
})

it('has the keys as variables, and no key in a request', () => {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  expect(variables.get('key_to_pay')).toBe('beltrana@example.com')
  const sent = items.map(({ request }) => request.body?.raw ?? '').join('\n')
  expect(sent.match(/"dict_key": ".*"/g)).toEqual([
    '"dict_key": "{{key_to_pay}}"',
    '"dict_key": "{{createTransfer.dict_key}}"',
    ...Array(3).fill('"dict_key": "{{own_key}}"'),
  ])
})

it('tells facts from assumptions', () => {
  const test = (operationId: string) =>
    itemOf(operationId)
      .event.flatMap(({ script }) => script.exec)
      .join('\n')
  // The document shows the fields of a look-up, but not the kinds of keys.
  const [, fact, assumption] = test('checkKey').match(/pm\.test\('.*/g) ?? []
  expect(fact).toContain("'fact: has what the document shows'")
  expect(fact).toContain('"dict_key_type":{"type":"string"}')
  expect(assumption).toContain("'assumption: matches the schema of the contract'")
  expect(assumption).toContain('"EVP"')
  // The document says "not shown".
  expect(test('cancelImmediateQrCode')).not.toContain('what the document shows')
})

it('has every operation once, each after one that shows what it sends', () => {
  const ids = items.map(({ name }) => name.slice(0, name.indexOf(':')))
  expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).sort())
  for (const { id, origins } of operations) {
    const earlier = ids.slice(0, ids.indexOf(id))
    const isKnown = origins.length === 0 || origins.some(({ from }) => earlier.includes(from))
    expect(isKnown, id).toBe(true)
  }
  expect(ids.indexOf('checkCode')).toBeLessThan(ids.indexOf('cancelImmediateQrCode'))
})

it('sends no date of an example, which would be in the past one day', () => {
  const bodies = items.map(({ request }) => request.body?.raw ?? '')
  expect(bodies.filter((body) => /\d{4}-\d{2}-\d{2}/.test(body))).toEqual([])
})

/** A read that shows an id, which the operation `sendBoth` takes. */
function lookUp(id: string, linked: object) {
  const response = {
    description: 'Success.',
    links: { both: { operationId: 'sendBoth', ...linked } },
  }
  return { get: { operationId: id, tags: ['things'], summary: id, responses: { 200: response } } }
}

const twoLookUps = {
  info: { title: 'Two look-ups' },
  tags: [{ name: 'things', 'x-displayName': 'Things' }],
  paths: {
    '/both/{first_id}': {
      post: {
        operationId: 'sendBoth',
        tags: ['things'],
        summary: 'Both',
        parameters: [{ name: 'first_id', in: 'path', required: true }],
        requestBody: {
          content: { 'application/json': { examples: { both: { value: { second_id: 's' } } } } },
        },
        responses: { 200: { description: 'Success.' } },
      },
    },
    '/first': lookUp('lookUpFirst', { parameters: { first_id: '$response.body#/id' } }),
    '/second': lookUp('lookUpSecond', { requestBody: { second_id: '$response.body#/id' } }),
  },
}

it('sends the ids of two look-ups in one request, after both', () => {
  const built = createCollection({
    document: twoLookUps,
    behaviour: {} as Behaviour,
    shownBodies: new Map(),
  }) as typeof collection
  const requests = built.item.flatMap(({ item }) => item)
  expect(requests.map(({ name }) => name.split(':')[0])).toEqual([
    'lookUpFirst',
    'lookUpSecond',
    'sendBoth',
  ])

  const text = JSON.stringify(requests.at(-1))
  expect(text).toContain('{{sendBoth.first_id}}')
  expect(text).toContain('{{sendBoth.second_id}}')
  expect(built.variable.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['sendBoth.first_id', 'sendBoth.second_id']),
  )
})

it('refuses an id that no earlier response shows', () => {
  const paths = { '/both/{first_id}': twoLookUps.paths['/both/{first_id}'] }
  const lookUpsMissing = { ...twoLookUps, paths }
  const sources = { behaviour: {} as Behaviour, shownBodies: new Map() }
  expect(() => createCollection({ document: lookUpsMissing, ...sources })).toThrow(
    'no earlier response shows first_id for sendBoth',
  )
})
