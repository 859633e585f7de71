import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('old-secret-ends')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an old secret that goes on signing', async () => {
  expect(await run('old-secret-signs-for-good')).toEqual(
    found('deviation old-secret-ends rotateWebhookSecret'),
  )
})

test.each([['old-secret-ends-after-an-hour', 'deviation old-secret-ends rotateWebhookSecret']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
