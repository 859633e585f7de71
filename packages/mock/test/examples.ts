import { expect } from 'vitest'
import { call, deviations, type Json, type Operation } from './contract.ts'

/** The status and the response of its success. */
export function success({ responses }: Operation) {
  const [status, declared] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  if (!declared) throw new Error('no success declared')
  return [Number(status), declared] as const
}

export type Documented = [status: number, name: string, value: Json | undefined]

/** Each documented response by its status and the name of its example. */
export function examplesOf({ responses }: Operation): Documented[] {
  return Object.entries(responses).flatMap(([status, { content }]): Documented[] => {
    if (!content) return [[Number(status), '', undefined]]
    const examples = Object.values(content).flatMap((media) => Object.entries(media.examples))
    return examples.map(([name, { value }]): Documented => [Number(status), name, value])
  })
}

/** Expects the mock to return a response that the request prefers. */
export async function expectDocumented(url: string, operation: Operation, [status, name, value]: Documented) {
  const prefer = name === '' ? `code=${status}` : `code=${status}, example=${name}`
  const response = await call(url, operation, { headers: { prefer } })
  expect(response.status).toBe(status)
  expect(await deviations(operation, response)).toEqual([])
  if (value === undefined) return
  const requestId = response.headers.get('x-request-id')
  expect(await response.json()).toEqual('request_id' in value ? { ...value, request_id: requestId } : value)
}
