import { expect, test } from 'vitest'
import { differences, walk } from './journey.ts'
import { responding } from './kit.ts'
import { variations } from './variations.ts'

test('a variation differs from the sandbox, and breaks no fact', async () => {
  const unmodified = await walk({})
  const varied = await walk(serviceOf('record-nested'))
  expect(unmodified.broken).toEqual([])
  expect(varied.broken).toEqual([])
  expect(differences(unmodified, await walk({}))).toEqual([])
  expect(differences(unmodified, varied)).not.toEqual([])
})

test('a service that breaks a fact is told from a variation', async () => {
  const { broken } = await walk(responding(/^listUsers$/, ({ users: _, ...body }) => body))
  expect(broken[0]).toMatch(/^GET \/partner\/user: body .*expected a value, got nothing/)
})

test('every variation has an id of its own', () => {
  const ids = variations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

function serviceOf(id: string) {
  const found = variations.find((it) => it.id === id)
  if (!found) throw new Error(`there is no variation "${id}"`)
  return found.service
}
