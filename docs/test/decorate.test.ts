import { expect, test } from 'vitest'
import {
  declaredIn,
  type Event,
  eventsOf,
  type Operation,
  operationsOf,
  type Question,
} from '../build/contract.ts'
import { decorate } from '../build/decorate.ts'
import { fieldList, fieldsOfOperation } from '../build/fields.ts'
import { describeOperation } from '../build/operation-pages.ts'
import { behaviour, contract, questions, questionsOf, whole } from './site.ts'

const decorated = decorate(contract, { questions, behaviour })
const operations = operationsOf(decorated, behaviour)

test('marks the aspect of a property that is an assumption, and names question and basis', () => {
  const description = descriptionOf('checkCode', 'qrcode_type')
  expect(description).toContain('The kind of the code.')
  expect(description).toContain(
    '<a class="assumed" href="open-questions.html#code-kinds"><b>Our assumption (values):</b> Which values does qrcode_type have, besides Static? <i>Static, Immediate and DueDate, after the paths of the operations that create them.</i></a>',
  )
})

test('marks what was observed as neither a fact nor an assumption', () => {
  const kinds = questions['code-kinds'] as Question
  const observed = { service: 'https://pix.example.com', date: '2026-11-29', evidence: '3 cases' }
  const answered = {
    ...questions,
    'code-kinds': { ...kinds, basis: 'observed', observed },
  } as const
  const decorated = decorate(contract, { questions: answered, behaviour })
  const checkCode = operationsOf(decorated, behaviour).find(({ id }) => id === 'checkCode')
  expect(JSON.stringify(checkCode?.node)).toContain(
    '<b>Observed, not stated (values):</b> Which values does qrcode_type have, besides Static?',
  )
})

test('says what is deprecated', () => {
  const [operation] = operations as [Operation]
  expect(describeOperation(operation)).not.toContain('Deprecated')
  const deprecation = { since: '2026-12-01', sunset: '2027-06-01' }
  expect(describeOperation({ ...operation, deprecation })).toContain(
    '**Deprecated since 2026-12-01. It stops working on 2027-06-01.**',
  )

  const schema = { type: 'string', description: 'The nickname.' }
  const field = { name: 'nickname', path: 'nickname', schema, isRequired: false, marks: [] }
  const deprecated = { ...field, schema: { ...schema, deprecated: true } }
  expect(fieldList([field], ['required', 'optional'])).not.toContain('Deprecated')
  expect(fieldList([deprecated], ['required', 'optional'])).toContain(
    '**Deprecated.** The nickname.',
  )
})

test('links every question of an operation or event where Redoc shows it', () => {
  const all = decorate(whole, { questions, behaviour })
  const declared = declaredIn(all)
  expect(declared.length).toBeGreaterThan(20)
  for (const operation of declared) {
    const { id, node, item } = operation
    const shown = JSON.stringify([node, item.parameters, all.components.securitySchemes])
    const isShown = (question: string) => shown.includes(`open-questions.html#${question}\\"`)
    const hidden = questionsOf(operation).filter((id) => !isShown(id))
    expect(hidden, id).toEqual([])
  }
})

test('leaves a fact without a mark', () => {
  expect(descriptionOf('checkKey', 'dict_key')).not.toContain('open-questions.html')
})

test('keeps the words of what a reference leads to beside the marks of both', () => {
  expect(descriptionOf('checkCode', 'final_amount')).toMatch(
    /^A decimal number .*Assumed: What to pay on the day of the check/s,
  )
})

test('marks every property below an assumption', () => {
  const settled = eventsOf(decorated).find(({ path }) => path === 'transfer.settled') as Event
  const charge = operationNamed('createImmediateQrCode')
  const fields = [...fieldsOfOperation(settled).request, ...fieldsOfOperation(charge).response]
  expect(fields.length).toBeGreaterThan(30)
  for (const { path, schema } of fields)
    expect(String(schema.description), path).toContain('"open-questions.html#')
})

test('says of each operation its effect, and of each error response its codes', () => {
  for (const { id, effect, description, responses } of operations) {
    expect(description, id).toMatch(/\*\*Effect: \w+\.\*\* [^<\n]*<span class="mark/)
    expect(description).toContain(`**Effect: ${effect}.** `)
    expect(description).not.toContain('Refused (assumed)')

    const errors = responses.filter(({ status }) => status >= '400')
    expect(errors.length, id).toBeGreaterThan(0)
    for (const { node } of errors)
      expect(node.description, id).toMatch(/^- \[`\w+`\]\(behaviour\/errors/m)
  }
})

test('names the operation whose path a short path shortens, and that the path is assumed', () => {
  const all = operationsOf(decorate(whole, { questions, behaviour }), behaviour)
  // The contract's lint holds the list of its paths.
  const { description } = all.find(({ path }) => path === '/pix/key') as Operation
  expect(description).toContain('A short path of [`checkKey`](operations/checkKey.html)')
  expect(description).toContain('"open-questions.html#guide-paths"')
})

test('names the security scheme as an assumption wherever it is required', () => {
  expect(decorated.security).toEqual([{ 'bearer (assumed)': [] }])
  expect(Object.keys(decorated.components.securitySchemes ?? {}).sort()).toEqual([
    'basic',
    'bearer (assumed)',
  ])
})

test('names the mock and the sandbox of this machine as servers, since Redoc takes a variable for a path', () => {
  expect(decorated.servers.map(({ url }) => url)).toEqual([
    'http://127.0.0.1:4010',
    'http://127.0.0.1:4020',
  ])
})

test('leaves the contract it was given alone', () => {
  expect(JSON.stringify(contract)).not.toContain('open-questions.html')
})

/** What the reference says of a field of a response. */
function descriptionOf(operationId: string, path: string): string {
  const { response } = fieldsOfOperation(operationNamed(operationId))
  const field = response.find((candidate) => candidate.path === path)
  return String(field?.schema.description)
}

function operationNamed(operationId: string): Operation {
  const operation = operations.find(({ id }) => id === operationId)
  // The ids are of the contract's list.
  return operation as Operation
}
