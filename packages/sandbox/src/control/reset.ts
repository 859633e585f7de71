import type { Sandbox } from '../sandbox.ts'
import { reset } from '../seed/seed.ts'

/** Empties the state and writes the world anew, once nothing is under way. The clock stays where it is. */
export async function resetWorld({ context, store, worker }: Sandbox): Promise<void> {
  await worker.idle()
  await store.write(async (queries) => {
    if (store.backend === 'postgres') await queries.run(LOCK)
    await reset(queries, context)
  })
  worker.poke()
}

/** Else a request that is under way would refer to what was just deleted. SQLite has one writer at a time anyway. */
const LOCK = `
  LOCK TABLE settings, accounts, partners, users, customers, tokens, keys, qrcodes, transfers, entries, webhooks, events,
    deliveries, attempts IN EXCLUSIVE MODE`
