import register from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import { valueAt } from '@partner-payments/text'
import { expect, test } from 'vitest'
import { operationsIn } from '../build/contract.ts'
import { responseChecks } from '../src/generated/response-checks.ts'
import { issuesOf } from '../src/issues.ts'
import { contract, exampleOf, type Json, resolved } from './contract.ts'
import { hideResponseValues, issuesIn, responseExamples } from './properties.ts'

test('no example of the contract has an issue', async () => {
  expect(responseExamples.length).toBeGreaterThan(150)
  for (const { operationId, of, name, value } of responseExamples) {
    const issues = await issuesIn(operationId, Number(of), value)
    expect({ operationId, of, name, issues }).toMatchObject({ issues: [] })
  }
})

test('every declared response of every operation has a check', () => {
  const declared = operationsIn(contract.paths).map(([, , it]) => [
    it.operationId,
    Object.keys(it.responses),
  ])
  const isStatus = (name: string) => !/question$/i.test(name)
  const checked = Object.entries(responseChecks).map(([id, row]) => [
    id,
    Object.keys(row).filter(isStatus),
  ])
  expect(checked).toEqual(declared)
})

const facts = [
  ['checkCode', 'CodeCheck', 200],
  ['checkKey', 'KeyCheck', 200],
  ['createTransfer', 'Transfer', 201],
  ['getUser', 'UserWithCustomers', 200],
  ['getWebhook', 'Webhook', 200],
] as const

const fields = facts.flatMap(([operationId, schema, status]) => {
  const { required, properties } = contract.components.schemas?.[schema] ?? {}
  const membersOf = (name: string) => ({ name, form: resolved((properties as Json)[name]) })
  return (required as string[]).map((name) => ({ operationId, status, ...membersOf(name) }))
})

test.each(fields)(
  '$operationId without $name, or with another type, contradicts a fact',
  async (field) => {
    const { operationId, status, name, form } = field
    const { [name]: _, ...body } = exampleOf(operationId, status)
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

/** A value at a place of a response, what was expected, and the open question. */
const deviations: [place: string, value: unknown, expected: string, question?: string][] = [
  [
    'checkKey 200 /dict_key_type',
    'X',
    'one of "CPF", "CNPJ", "PHONE", "EMAIL", "EVP"',
    'key-kinds',
  ],
  ['createTransfer 201 /id', '17', 'string of format uuid', 'identifiers'],
  [
    'createTransfer 201 /data/payer/ispb',
    '1',
    'string that matches ^[0-9A-Z]{8}$',
    'account-forms',
  ],
  // Of the matching branch.
  ['getWebhook 200 /created_at', 'today', 'string of format date-time', 'timestamp-formats'],
  ['getWebhook 200 /created_at', 1793629805, 'string, null or object'],
  ['getWebhook 200 /created_at', { error: null, reason: 'x' }, '1 properties or fewer'],
  ['getUser 200 /customers/0/metadata', [], 'object or null', 'customer-metadata'],
  ['getUser 200 /customers/0/name', null, 'string'],
  ['createStaticQrCode 200 /amount', '10,50', amount],
  // In a record that is assumed as a whole.
  ['createDueDateQrCode 200 /amount/original', '10,50', amount, 'qr-record'],
  ['createDueDateQrCode 200 /kind', 'Immediate', '"DueDate"', 'qr-record'],
  ['getUser 404 /status', 99, '400 or more', 'errors'],
  // Of the short paths, whose responses are assumed.
  ['guideCreateTransfer 201 /id', 1, 'string', 'guide-paths'],
  ['guideCheckKey 200 /dict_key', 1, 'string'],
]

test.each(deviations)('%s as %j is an issue', async (place, value, expected, question) => {
  const [operationId = '', status, pointer = ''] = place.split(' ')
  const body = exampleOf(operationId, Number(status))
  const [, above, last = ''] = /(.*)\/(.*)/.exec(pointer) ?? []
  Object.assign(valueAt(body, `${above}`) as object, { [last]: value })
  const kind = Object.prototype.toString.call(value).slice(8, -1).toLowerCase()
  const got =
    typeof value === 'string'
      ? `string of length ${value.length}`
      : kind.replace('number', 'integer')
  const issue = {
    pointer,
    message: `expected ${expected}, got ${got}`,
    ...(question && { question }),
  }
  expect(await issuesIn(operationId, Number(status), body)).toEqual([issue])
})

test('a success with an undeclared status is an issue, and its body is still checked', async () => {
  const { id: _, ...body } = exampleOf('createTransfer', 201)
  expect(await issuesIn('createTransfer', 200, body)).toEqual([
    { pointer: '', message: expect.stringMatching(/^expected status 201 or .*, got 200$/) },
    { pointer: '/id', message: 'expected a value, got nothing' },
  ])
  // Of a short path, the status is assumed too.
  const [status] = await issuesIn('guideCreateTransfer', 200, body)
  expect(status).toMatchObject({ pointer: '', question: 'guide-paths' })
})

test.each<[string, string, number, object[]]>([
  [
    'an undeclared error status',
    'getUser',
    502,
    [{ pointer: '', message: expect.stringMatching(/, got 502$/), question: 'errors' }],
  ],
  ['a missing body', 'getUser', 200, [{ pointer: '', message: 'expected object, got nothing' }]],
  ['a declared empty body', 'deleteWebhook', 204, []],
])('%s without a body has its issues', async (_, operationId, status, issues) => {
  expect(await issuesIn(operationId, status, undefined)).toEqual(issues)
})

test('a new value of an unmarked enum is a deviation too', () => {
  const schemas = { schema: ['x'], parentSchema: {} }
  const fault = {
    instancePath: '/a',
    schemaPath: '',
    keyword: 'enum',
    params: {},
    ...schemas,
    data: 'y',
  }
  const message = 'expected "x", got string of length 1'
  const check = Object.assign(() => false, { errors: [fault, fault] })
  expect(issuesOf(check, 'y')).toEqual([{ pointer: '/a', message, question: 'versioning' }])
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
