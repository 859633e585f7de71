import fc from 'fast-check'
import { expect, test } from 'vitest'
import { malformedTexts } from '../../src/rules/requests/body-format.ts'

test('it gives no valid JSON, whatever the accepted body is', () => {
  for (const body of [{}, [], 12, 1.5, 'a', '', null, true, [[]], { a: {} }, undefined])
    expect([body, malformedTexts(body).filter((text) => isJson(text) || text === '')]).toEqual([body, []])
  fc.assert(fc.property(fc.jsonValue(), (body) => !malformedTexts(body).some(isJson)))
})

test('it gives what is nearly the accepted body', () => {
  expect(malformedTexts({})).toEqual(expect.arrayContaining(['{,}', '{}}', '{} x']))
  expect(malformedTexts({ a: 1 })).toEqual(expect.arrayContaining(['{"a":1', '{"a":1,}', "{'a':1}"]))
})

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}
