import { sample } from '@partner-payments/campaign'
import { expect, test } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import { sharesOf } from '../../src/report/coverage.ts'
import { rules as all } from '../../src/rules.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { bodyOf, type Fault, isSuccess, withBody, withHeader } from '../rules/broken.ts'
import { todos } from './todos-contract.ts'
import { createTodos, TOKEN } from './todos-service.ts'

type Change = Parameters<Fault>[0]

/** Runs every rule against a service of another contract, or some rules against one with a fault. */
async function run(fault?: Fault, only?: readonly string[]) {
  const right = inProcess(createTodos(TOKEN))
  const transport = fault ? { ...right, send: (call: Change) => fault(call, right.send, undefined) } : right
  const credentials = { token: TOKEN }
  return checkInProcess(transport, { contract: todos, credentials, ...(only && { only }) })
}

/** Changes the responses to one method and the paths with a prefix. */
function of(
  method: string,
  path: string,
  change: (response: HttpResponse, call: Change) => HttpResponse,
): Fault {
  return async (call, next) => {
    const response = await next(call)
    return call.method === method && call.path.startsWith(path) ? change(response, call) : response
  }
}

test('finds nothing in a correct service of another contract', async () => {
  const { findings, verdicts } = await run()
  expect(findings.map(({ id, message }) => `${id} ${message}`)).toEqual([])
  expect(verdicts).toEqual([])
})

test('needs no credentials for a contract that requires none', async () => {
  const contract = { ...todos, security: [] }
  const { findings, rules } = await checkInProcess(inProcess(createTodos()), { contract })
  expect(findings.map(({ id }) => id)).toEqual([])
  expect(rules.find(({ rule }) => rule === 'credentials-required')?.status).toBe('not-assessed')
  expect(rules.find(({ rule }) => rule === 'record-changes')?.status).toBe('passed')
})

test('does not compare callers if the contract requires no credentials', async () => {
  const { findings, rules } = await checkInProcess(inProcess(createTodos()), {
    target: 'live',
    contract: { ...todos, security: [] },
    credentials: { token: TOKEN },
    other: { token: 'another-token' },
    only: ['authorization'],
  })
  expect(findings.map(({ id }) => id)).toEqual([])
  const reasons = rules
    .filter(({ phase, isOutside }) => phase === 'authorization' && !isOutside)
    .map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(new Set(['the contract has no supported authentication scheme']))
})

test('does not compare callers by an operation without credentials', async () => {
  const open = '/todos/{todoId}'
  const { get, patch, delete: remove, parameters } = todos.paths[open]
  const free = (it: object) => ({ ...it, security: [] })
  const item = { parameters, get: free(get), patch: free(patch), delete: free(remove) }
  const service = createTodos(undefined, {
    isKnown: ({ url, headers }) => url.includes('/todos/') || headers.has('authorization'),
  })
  const { findings } = await checkInProcess(inProcess(service), {
    target: 'live',
    contract: { ...todos, paths: { ...todos.paths, [open]: item } },
    credentials: { token: TOKEN },
    other: { token: 'another-token' },
    only: ['foreign-record-hidden', 'foreign-record-untouched'],
  })
  expect(findings.filter(({ operation }) => operation !== 'showUser').map(({ id }) => id)).toEqual([])
})

test('cannot run without credentials if the contract requires some', async () => {
  const run = checkInProcess(inProcess(createTodos(TOKEN)), { contract: todos })
  await expect(run).rejects.toThrow('the contract asks for a token, and none was given')
})

test('cannot run against a page for people', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, text: '<html>Welcome</html>', ms: 0 }
  const transport = { send: async () => page, close: async () => {} }
  const run = checkInProcess(transport, { target: 'live', contract: todos, credentials: { token: TOKEN } })
  await expect(run).rejects.toThrow(
    /^this does not look like the API of the contract: GET \/\S+ returned 200 with text\/html/,
  )
})

test('assesses the rules for any contract, and none that is specific to ours', async () => {
  const { rules } = await run()
  const held = rules.filter(({ status }) => status === 'passed').map(({ rule }) => rule)
  expect(held).toEqual(expect.arrayContaining(ANY))
  expect(held.filter((id) => OURS.includes(id))).toEqual([])
})

const ANY = [
  ...['allow-on-405', 'valid-json', 'no-content-is-empty', 'response-schema', 'undeclared-fields'],
  ...['example-accepted', 'boundary-accepted', 'break-refused', 'break-refused'],
  ...['record-shown', 'record-shown', 'record-changes', 'record-changes'],
  ...['record-shown', 'record-changes', 'list-pages', 'list-pages'],
  ...['credentials-required', 'credentials-required', 'www-authenticate'],
  ...['body-format', 'body-format', 'method-not-allowed', 'body-format'],
]

test('measures coverage against the included operations and the contract', async () => {
  const operations = ['addTodo', 'showTodo']
  const result = await checkInProcess(inProcess(createTodos(TOKEN)), {
    target: 'live',
    contract: todos,
    credentials: { token: TOKEN },
    operations,
    only: ['example-accepted', 'record-shown', 'one-time-values'],
  })
  expect(result.coverage.operations.map(({ operation }) => operation)).toEqual(operations)
  expect(new Set(result.coverage.rows.map(({ operation }) => operation))).toEqual(new Set(operations))
  const fields = result.coverage.fields.map(({ contract }) => contract)
  expect(fields).toContain('/components/schemas/Todo/properties/title')
  expect(fields.filter((it) => it.includes('/User/'))).toEqual([])
  const rules = sharesOf(result).find(({ name }) => name === 'rules assessed')
  expect(rules).toMatchObject({ seen: 2, all: 2 })
})

/** Rules that need the assumptions of our contract. */
const OURS = [
  ...all.filter(({ needs }) => needs !== undefined).map(({ id }) => id),
  ...['problem-details', 'response-headers'],
]

const FAULTS: readonly [rule: string, operation: string, kind: string, fault: Fault][] = [
  ['record-changes', 'todos', 'failure', listsAll()],
  [
    'response-schema',
    'showTodo',
    'failure',
    of('GET', '/todos/', (it) => withBody(it, ({ title: _, ...rest }) => rest)),
  ],
  ['break-refused', 'addTodo', 'failure', beyond('priority')],
  [
    'boundary-accepted',
    'addTodo',
    'failure',
    of('POST', '/todos', (it, call) => (bodyOf(call).priority === 5 ? refused(it) : it)),
  ],
  [
    'break-refused',
    'todos',
    'failure',
    of('GET', '/todos?', (it) => (isSuccess(it) ? it : { ...it, status: 200, text: '[]' })),
  ],
  [
    'record-shown',
    'todos',
    'failure',
    of('GET', '/todos', (it, { path }) => (path === '/todos' ? { ...it, text: '[]' } : it)),
  ],
  [
    'record-changes',
    'showTodo',
    'failure',
    of('GET', '/todos/', (it) => withBody(it, (body) => ({ ...body, done: 'no' }))),
  ],
  ['record-changes', 'showTodo', 'failure', of('GET', '/todos/', (it) => ({ ...it, status: 200 }))],
  [
    'record-shown',
    'addTodo',
    'failure',
    of('POST', '/todos', (it) => withBody(it, (body) => ({ ...body, title: 'Buy' }))),
  ],
  ['credentials-required', 'showUser', 'failure', open],
  ['credentials-required', 'showUser', 'failure', open],
  [
    'www-authenticate',
    'showUser',
    'deviation',
    of('GET', '/users/', (it) => withHeader(it, 'www-authenticate')),
  ],
  [
    'method-not-allowed',
    'showUser',
    'deviation',
    of('POST', '/users/', (it) => (it.status === 405 ? { ...it, status: 200 } : it)),
  ],
  [
    'no-content-is-empty',
    'removeTodo',
    'failure',
    of('DELETE', '/todos/', (it) => ({ ...it, text: 'gone' })),
  ],
  [
    'undeclared-fields',
    'addUser',
    'deviation',
    of('POST', '/users', (it) => withBody(it, (body) => ({ ...body, age: 7 }))),
  ],
]

test.each(sample(FAULTS, ([rule]) => rule))(
  '%s finds its fault in %s',
  async (rule, operation, kind, fault) => {
    const { findings } = await run(fault, [rule, 'example-accepted', 'records', 'credentials-required'])
    const mine = findings.filter((it) => it.rule === rule)
    expect(mine.map((it) => `${it.kind} ${it.operation}`)).toContain(`${kind} ${operation}`)
  },
)

/** Accepts a number outside its limits. */
function beyond(name: string): Fault {
  return of('POST', '/todos', (response, call) =>
    bodyOf(call)[name] > 5 ? { ...response, status: 201 } : response,
  )
}

function refused(response: HttpResponse): HttpResponse {
  return { ...response, status: 400, text: '{"error":"it is refused"}' }
}

/** Lists all todos, also deleted ones. */
function listsAll(): Fault {
  const made: unknown[] = []
  return async (call, next) => {
    const response = await next(call)
    if (call.method === 'POST' && call.path === '/todos' && isSuccess(response))
      made.push(JSON.parse(response.text))
    return call.method === 'GET' && call.path === '/todos' ? withBody(response, () => made) : response
  }
}

/** Shows users to any caller. */
async function open(call: Change, next: (call: Change) => Promise<HttpResponse>): Promise<HttpResponse> {
  const authorization = `Bearer ${TOKEN}`
  return next(
    call.path.startsWith('/users/') ? { ...call, headers: { ...call.headers, authorization } } : call,
  )
}
