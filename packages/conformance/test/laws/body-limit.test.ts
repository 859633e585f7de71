import { expect, test } from 'vitest'
import { bodyOf, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('body-limit', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a body that is read whatever its size', async () => {
  const fault = reads('checkKey', (call) => {
    const { padding: _, ...body } = bodyOf(call)
    return { ...call, body: JSON.stringify(body) }
  })
  expect(await run(fault)).toEqual(found('discovery body-limit checkKey'))
})
