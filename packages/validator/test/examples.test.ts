import { valueAt } from '@partner-payments/text'
import { describe, expect, test } from 'vitest'
import { createValidator } from '../src/index.ts'
import { contract, examplesOf, resolved } from './contract.ts'

const validator = createValidator()

/** The examples of the parameters or headers of a node by name, and the filled path. */
function headersOf(node: unknown): Record<string, string> {
  const headers = Object.entries((resolved(node).headers ?? {}) as object)
  return Object.fromEntries(headers.map(([name, it]) => [name, String(resolved(it).example)]))
}

function parametersOf(pointer: string, place: string): [string, string][] {
  const item = pointer.slice(0, pointer.lastIndexOf('/'))
  const listed = [
    valueAt(contract, `${item}/parameters`),
    valueAt(contract, `${pointer}/parameters`),
  ]
  const all = listed.flatMap((it) => (Array.isArray(it) ? it.map(resolved) : []))
  return all
    .filter((it) => it.in === place)
    .map(({ name, example }) => [String(name), String(example)])
}

describe.each(validator.operations.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_, operation) => {
    const { method, pointer } = operation
    const path = parametersOf(pointer, 'path').reduce(
      (text, [name, value]) => text.replace(`{${name}}`, value),
      operation.path,
    )
    const query = new URLSearchParams(parametersOf(pointer, 'query')).toString()

    test('every request example has no findings and no undeclared property', () => {
      const examples = examplesOf(valueAt(contract, `${pointer}/requestBody`) ?? {})
      const bodies = examples.length > 0 ? examples : [{ type: 'text/plain', value: undefined }]
      for (const { type, value } of bodies) {
        const request = { method, path, query, headers: { 'content-type': type }, body: value }
        expect(validator.validateRequest(request, { unknown: true })).toEqual([])
      }
    })

    test('every response example has no findings and no undeclared property', () => {
      for (const [status, response] of Object.entries(
        valueAt(contract, `${pointer}/responses`) as object,
      )) {
        const examples = examplesOf(response)
        const bodies = examples.length > 0 ? examples : [{ type: 'text/plain', value: undefined }]
        for (const { type, value } of bodies) {
          const headers = { ...headersOf(response), 'content-type': type }
          const message = { status: Number(status), headers, body: value }
          expect(validator.validateResponse(operation, message, { unknown: true })).toEqual([])
        }
      }
    })
  },
)

test.each(validator.deliveries.map((it) => [it.path, it] as const))(
  'the example of %s has no findings',
  (name, { pointer }) => {
    const headers = Object.fromEntries(parametersOf(pointer, 'header'))
    const examples = examplesOf(valueAt(contract, `${pointer}/requestBody`))
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
