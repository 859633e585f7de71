import { expect, test } from 'vitest'
import { checkLive, expectSafe, madeBy } from '../live.ts'

test('sends no payment to a live service with any rule, and removes what it creates', () => expectSafe({}))

test('changes only its own records on a live service', async () => {
  const { service } = await checkLive({
    only: ['random-requests', 'invalid-ids-refused', 'invalid requests'],
    timeMs: 300,
  })
  const made = new Set(madeBy(service))
  const changed = service.passed.filter(({ method }) => /^(PATCH|DELETE)$/.test(method))
  const idOf = ({ path }: { path: string }) =>
    path.replace(/^.*\/(webhook|immediate|due-date)\//, '').split('/')[0]
  expect(changed.length).toBeGreaterThan(20)
  expect(changed.filter((it) => !made.has(idOf(it))).map(({ method, path }) => `${method} ${path}`)).toEqual(
    [],
  )
})
