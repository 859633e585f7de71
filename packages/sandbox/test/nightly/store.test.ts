import { afterAll, test } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { expectStoresStrings } from '../settings.ts'
import { KINDS, openBackends } from '../state/backends.ts'

const backends = openBackends()
afterAll(() => backends.remove())

test.each(KINDS)('the state in %s stores every well-formed string', async (kind) => {
  const store = await openStore(await backends.newState(kind))
  await expectStoresStrings(store, 400)
  await store.close()
})
