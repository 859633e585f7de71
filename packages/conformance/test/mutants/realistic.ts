import { planted, plantOf } from '../faulty/plant.ts'
import { openTestSandbox, type TestSandbox } from '../faulty/sandbox.ts'
import { listed, type Mutant } from './mutant.ts'
import { access } from './realistic/access.ts'
import { charges } from './realistic/charges.ts'
import { codes } from './realistic/codes.ts'
import { deliveries } from './realistic/deliveries.ts'
import { keys } from './realistic/keys.ts'
import { lists } from './realistic/lists.ts'
import { transfers } from './realistic/transfers.ts'
import { webhooks } from './realistic/webhooks.ts'

export { fresh } from './fresh/index.ts'

/** Realistic bugs, written without reading the rules of the checker. */
export const realistic: readonly Mutant[] = listed(
  access,
  codes,
  keys,
  transfers,
  charges,
  lists,
  webhooks,
  deliveries,
)

/** Opens a sandbox in memory, optionally with a mutant. */
export async function openMutant(mutant?: Mutant): Promise<{
  readonly sandbox: TestSandbox
  readonly fetch: (request: Request) => Promise<Response>
}> {
  const sandbox = await openTestSandbox()
  for (const sql of mutant?.state ?? []) await sandbox.run(sql)
  if (!mutant) return { sandbox, fetch: sandbox.app.fetch }
  const id = mutant.operation === 'deliveries' ? undefined : mutant.operation
  return { sandbox, fetch: planted(sandbox, plantOf(id, mutant)) }
}
