import { valueAt } from '@partner-payments/contract'
import { describe, expect, test } from 'vitest'
import { createValidator } from '../src/index.ts'
import { contract, listExamples, resolved } from './contract.ts'

const validator = createValidator()

/** The examples of the headers of a response by name. */
function headersOf(node: unknown): Record<string, string> {
  const headers = Object.entries((resolved(node).headers ?? {}) as object)
  const examples = headers.map(([name, header]) => [name, String(resolved(header).example)])
  return Object.fromEntries(examples)
}

/** The examples of the parameters of an operation in a place, with their names. */
function parametersOf(pointer: string, place: string): [string, string][] {
  const item = pointer.slice(0, pointer.lastIndexOf('/'))
  const listed = [
    valueAt(contract, `${item}/parameters`),
    valueAt(contract, `${pointer}/parameters`),
  ]
  const parameters = listed.flatMap((list) => (Array.isArray(list) ? list.map(resolved) : []))
  const placed = parameters.filter((parameter) => parameter.in === place)
  return placed.map(({ name, example }) => [String(name), String(example)])
}

describe.each(validator.operations)('$id', (operation) => {
  const { method, pointer } = operation
  let path = operation.path
  for (const [name, value] of parametersOf(pointer, 'path')) path = path.replace(`{${name}}`, value)
  const query = new URLSearchParams(parametersOf(pointer, 'query')).toString()

  test('every request example has no findings and no undeclared property', () => {
    const examples = listExamples(valueAt(contract, `${pointer}/requestBody`) ?? {})
    const bodies = examples.length > 0 ? examples : [{ type: 'text/plain', value: undefined }]
    for (const { type, value } of bodies) {
      const request = { method, path, query, headers: { 'content-type': type }, body: value }
      expect(validator.validateRequest(request, { unknown: true })).toEqual([])
    }
  })

  test('every response example has no findings and no undeclared property', () => {
    const responses = valueAt(contract, `${pointer}/responses`) as object
    for (const [status, response] of Object.entries(responses)) {
      const examples = listExamples(response)
      const bodies = examples.length > 0 ? examples : [{ type: 'text/plain', value: undefined }]
      for (const { type, value } of bodies) {
        const headers = { ...headersOf(response), 'content-type': type }
        const message = { status: Number(status), headers, body: value }
        expect(validator.validateResponse(operation, message, { unknown: true })).toEqual([])
      }
    }
  })
})

test.each(validator.deliveries)(
  'the example of $path has no findings',
  ({ path: name, pointer }) => {
    const headers = Object.fromEntries(parametersOf(pointer, 'header'))
    const examples = listExamples(valueAt(contract, `${pointer}/requestBody`))
    expect(examples).not.toEqual([])
    for (const { type, value: body } of examples) {
      const delivery = { name, headers: { ...headers, 'content-type': type }, body }
      expect(validator.validateDelivery(delivery, { unknown: true })).toEqual([])
    }
  },
)

test('the response of a webhook receiver has a range of statuses', () => {
  const [delivery] = validator.deliveries
  if (!delivery) throw new Error('no delivery')
  expect(validator.validateResponse(delivery, { status: 204 })).toEqual([])
  expect(validator.validateResponse(delivery, { status: 302 })).toMatchObject([
    { place: 'status', message: 'expected 2XX, got 302' },
  ])
})
