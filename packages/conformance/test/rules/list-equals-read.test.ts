import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('list-equals-read')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list that shows another type', async () => {
  expect(await run('listed-as-another-type')).toEqual(
    found('failure list-equals-read getWebhook', 'failure list-equals-read listWebhooks'),
  )
})

test('finds a list that shows another amount', async () => {
  expect(await run('code-listed-with-another-amount')).toEqual(
    found('failure list-equals-read listDueDateQrCodes'),
  )
})

test('finds a user with another e-mail than on the list', async () => {
  expect(await run('user-shown-with-another-email')).toEqual(found('failure list-equals-read getUser'))
})

test('finds an id that is not the one asked for', async () => {
  expect(await run('user-of-another-id-shown')).toEqual(found('deviation list-equals-read getUser'))
})

test.each([['user-of-another-partner-id', 'failure list-equals-read getUser']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
