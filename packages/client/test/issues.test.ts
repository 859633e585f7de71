import { valueAt } from '@partner-payments/contract'
import register from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { operations } from '../build/contract.ts'
import { responseChecks } from '../src/generated/response-checks.ts'
import type { Issue } from '../src/index.ts'
import { listIssues } from '../src/issues.ts'
import { contract, findExample, type Json, resolved } from './contract.ts'
import { hideResponseValues, issuesIn, responseExamples } from './properties.ts'

test('no example of the contract has an issue', async () => {
  expect(responseExamples.length).toBeGreaterThan(150)
  for (const { operationId, of, name, value } of responseExamples) {
    const issues = await issuesIn(operationId, Number(of), value)
    expect({ operationId, of, name, issues }).toMatchObject({ issues: [] })
  }
})

test('every declared response of every operation has a check', () => {
  const declared = operations.map(({ id, responses }) => [
    id,
    responses.map(({ status }) => status),
  ])
  const isStatus = (name: string) => name !== 'question' && name !== 'bodyQuestion'
  const checked = Object.entries(responseChecks).map(([id, row]) => [
    id,
    Object.keys(row).filter(isStatus),
  ])
  expect(checked).toEqual(declared)
})

const facts = [
  { operationId: 'checkCode', schema: 'CodeCheck', status: 200 },
  { operationId: 'checkKey', schema: 'KeyCheck', status: 200 },
  { operationId: 'createTransfer', schema: 'Transfer', status: 201 },
  { operationId: 'getUser', schema: 'UserWithCustomers', status: 200 },
  { operationId: 'getWebhook', schema: 'Webhook', status: 200 },
]

const fields = facts.flatMap(({ operationId, schema, status }) => {
  const { required, properties } = contract.components.schemas?.[schema] ?? {}
  return (required as string[]).map((name) => ({
    operationId,
    status,
    name,
    form: resolved((properties as Json)[name]),
  }))
})

test.each(fields)(
  '$operationId without $name, or with another type, contradicts a fact',
  async (field) => {
    const { operationId, status, name, form } = field
    const { [name]: _, ...body } = findExample(operationId, status)
    const missing = { pointer: `/${name}`, message: 'expected a value, got nothing' }
    expect(await issuesIn(operationId, status, body)).toEqual([missing])
    const wrong = form.type === 'integer' ? 0.5 : 1
    const issues = await issuesIn(operationId, status, { ...body, [name]: wrong })
    const message = expect.stringMatching(/^expected (string|boolean|object|array|integer|null)/)
    expect(issues.filter(({ question }) => !question)).toEqual([{ pointer: `/${name}`, message }])
    // The enum itself is an assumption, so it adds a second issue.
    expect(issues).toHaveLength('enum' in form ? 2 : 1)
  },
)

const amount = String.raw`string that matches ^-?[0-9]+(\.[0-9]+)?$`

interface Deviation {
  /** The operation, the status and the pointer into the response. */
  readonly place: string
  readonly value: unknown
  readonly expected: string
  readonly got: string
  /** The open question. */
  readonly question?: string
}

const deviations: Deviation[] = [
  {
    place: 'checkKey 200 /dict_key_type',
    value: 'X',
    expected: 'one of "CPF", "CNPJ", "PHONE", "EMAIL", "EVP"',
    got: 'string of length 1',
    question: 'key-kinds',
  },
  {
    place: 'createTransfer 201 /id',
    value: '17',
    expected: 'string of format uuid',
    got: 'string of length 2',
    question: 'identifiers',
  },
  {
    place: 'createTransfer 201 /data/payer/ispb',
    value: '1',
    expected: 'string that matches ^[0-9A-Z]{8}$',
    got: 'string of length 1',
    question: 'account-forms',
  },
  // Of the matching branch.
  {
    place: 'getWebhook 200 /created_at',
    value: 'today',
    expected: 'string of format date-time',
    got: 'string of length 5',
    question: 'timestamp-formats',
  },
  {
    place: 'getWebhook 200 /created_at',
    value: 1793629805,
    expected: 'string, null or object',
    got: 'integer',
  },
  {
    place: 'getWebhook 200 /created_at',
    value: { error: null, reason: 'x' },
    expected: '1 properties or fewer',
    got: 'object',
  },
  {
    place: 'getUser 200 /customers/0/metadata',
    value: [],
    expected: 'object or null',
    got: 'array',
    question: 'customer-metadata',
  },
  {
    place: 'getUser 200 /customers/0/name',
    value: null,
    expected: 'string',
    got: 'null',
  },
  {
    place: 'createStaticQrCode 200 /amount',
    value: '10,50',
    expected: amount,
    got: 'string of length 5',
  },
  // In a record that is assumed as a whole.
  {
    place: 'createDueDateQrCode 200 /amount/original',
    value: '10,50',
    expected: amount,
    got: 'string of length 5',
    question: 'qr-record',
  },
  {
    place: 'createDueDateQrCode 200 /kind',
    value: 'Immediate',
    expected: '"DueDate"',
    got: 'string of length 9',
    question: 'qr-record',
  },
  {
    place: 'getUser 404 /status',
    value: 99,
    expected: '400 or more',
    got: 'integer',
    question: 'errors',
  },
  // Of the short paths, whose responses are assumed.
  {
    place: 'guideCreateTransfer 201 /id',
    value: 1,
    expected: 'string',
    got: 'integer',
    question: 'guide-paths',
  },
  {
    place: 'guideCheckKey 200 /dict_key',
    value: 1,
    expected: 'string',
    got: 'integer',
  },
]

const deviationRows = deviations.map((deviation) => ({
  ...deviation,
  json: JSON.stringify(deviation.value),
}))

test.each(deviationRows)('$place as $json is an issue', async (deviation) => {
  const { place, value, expected, got, question } = deviation
  const [operationId = '', status, pointer = ''] = place.split(' ')
  const body = findExample(operationId, Number(status))
  const slash = pointer.lastIndexOf('/')
  const parent = valueAt(body, pointer.slice(0, slash))
  Object.assign(parent as object, { [pointer.slice(slash + 1)]: value })

  const issue: Issue = { pointer, message: `expected ${expected}, got ${got}` }
  const expectedIssue = question === undefined ? issue : { ...issue, question }
  expect(await issuesIn(operationId, Number(status), body)).toEqual([expectedIssue])
})

test('a success with an undeclared status is an issue, and its body is still checked', async () => {
  const { id: _, ...body } = findExample('createTransfer', 201)
  expect(await issuesIn('createTransfer', 200, body)).toEqual([
    { pointer: '', message: expect.stringMatching(/^expected status 201 or .*, got 200$/) },
    { pointer: '/id', message: 'expected a value, got nothing' },
  ])
  // Of a short path, the status is assumed too.
  const [status] = await issuesIn('guideCreateTransfer', 200, body)
  expect(status).toMatchObject({ pointer: '', question: 'guide-paths' })
})

test.each([
  {
    name: 'an undeclared error status',
    operationId: 'getUser',
    status: 502,
    issues: [{ pointer: '', message: expect.stringMatching(/, got 502$/), question: 'errors' }],
  },
  {
    name: 'a missing body',
    operationId: 'getUser',
    status: 200,
    issues: [{ pointer: '', message: 'expected object, got nothing' }],
  },
  {
    name: 'a declared empty body',
    operationId: 'deleteWebhook',
    status: 204,
    issues: [],
  },
])('$name without a body has its issues', async ({ operationId, status, issues }) => {
  expect(await issuesIn(operationId, status, undefined)).toEqual(issues)
})

test('a new value of an unmarked enum is a deviation too', () => {
  const fault = {
    instancePath: '/a',
    schemaPath: '',
    keyword: 'enum',
    params: {},
    schema: ['x'],
    parentSchema: {},
    data: 'y',
  }
  const message = 'expected "x", got string of length 1'
  const check = Object.assign(() => false, { errors: [fault, fault] })
  expect(listIssues(check, 'y')).toEqual([{ pointer: '/a', message, question: 'versioning' }])
})

test('questions that no mark names are in the register', () => {
  expect(Object.keys(register)).toEqual(expect.arrayContaining(['errors', 'versioning']))
})

test('no message contains a value of the response', () => hideResponseValues(50))

test('the check of a long list of invalid records stops early', async () => {
  const records = Array.from({ length: 100_000 }, () => 0)
  const issues = await issuesIn('listWebhooks', 200, { data: records })
  expect(issues).toHaveLength(1000)
})
