import { expect, test } from 'vitest'
import { answers, problem, refusing } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('example-accepted', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a request of the contract that is refused', async () => {
  const fault = answers('checkKey', refusing(400))
  expect(await run(fault)).toEqual(found('failure example-accepted checkKey'))
})

test('takes a rule that refuses it for a discovery', async () => {
  const fault = answers('checkKey', refusing(422))
  expect(await run(fault)).toEqual(found('discovery example-accepted checkKey'))
})

test('finds another success than the declared one', async () => {
  const fault = answers('checkKey', (reply) => ({ ...reply, status: 201 }))
  expect(await run(fault)).toEqual(found('failure example-accepted checkKey'))
})

test('finds the same request refused without accept', async () => {
  const fault = answers('checkKey', (reply, call) => ('accept' in call.headers ? reply : problem(406)))
  expect(await run(fault)).toEqual(found('failure example-accepted checkKey'))
})

test('finds the same request refused for the letters of its scheme', async () => {
  const fault = answers('checkKey', (reply, call) =>
    call.headers.authorization?.startsWith('bearer') ? problem(401) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery example-accepted checkKey'))
})

test('finds the same request of a customer refused as malformed', async () => {
  let tokens = new Set<string>()
  const fault = answers('checkKey', (reply, call) => {
    tokens = tokens.add(String(call.headers.authorization).toLowerCase())
    return tokens.size > 1 ? problem(400) : reply
  })
  expect(await run(fault)).toEqual(found('failure example-accepted checkKey'))
})
