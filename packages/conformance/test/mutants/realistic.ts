import { openWorld, type World } from '../faulty/world.ts'
import { wrapped } from '../faulty/wrap.ts'
import type { Mutant, Mutants } from './mutant.ts'
import { access } from './realistic/access.ts'
import { charges } from './realistic/charges.ts'
import { codes } from './realistic/codes.ts'
import { deliveries } from './realistic/deliveries.ts'
import { keys } from './realistic/keys.ts'
import { lists } from './realistic/lists.ts'
import { transfers } from './realistic/transfers.ts'
import { webhooks } from './realistic/webhooks.ts'

const tables: readonly Mutants[] = [access, codes, keys, transfers, charges, lists, webhooks, deliveries]

/** Bugs that a team could ship, written without a look at the rules of the checker. */
export const realistic: readonly Mutant[] = tables.flatMap((table) =>
  Object.entries(table).map(([id, mutant]) => ({ id, ...mutant })),
)

/** A sandbox in memory, with a mutant in it where one is given. */
export async function openMutant(mutant?: Mutant): Promise<{
  readonly world: World
  readonly fetch: (request: Request) => Promise<Response>
}> {
  const world = await openWorld()
  for (const sql of mutant?.state ?? []) await world.run(sql)
  world.relay = mutant?.relay
  return { world, fetch: mutant?.service ? wrapped(world, mutant.service) : world.app.fetch }
}
