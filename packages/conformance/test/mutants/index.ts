import { planted, plantOf } from '../services/plant.ts'
import { openTestSandbox } from '../services/sandbox.ts'
import { coarse } from './fresh/coarse.ts'
import { fine } from './fresh/fine.ts'
import type { Mutant } from './mutant.ts'
import { access } from './realistic/access.ts'
import { charges } from './realistic/charges.ts'
import { codes } from './realistic/codes.ts'
import { deliveries } from './realistic/deliveries.ts'
import { keys } from './realistic/keys.ts'
import { lists } from './realistic/lists.ts'
import { transfers } from './realistic/transfers.ts'
import { webhooks } from './realistic/webhooks.ts'

const realistic = {
  ...access,
  ...codes,
  ...keys,
  ...transfers,
  ...charges,
  ...lists,
  ...webhooks,
  ...deliveries,
}

/** Services that are wrong in one way, written without reading the rules of the checker. */
export const mutants: readonly Mutant[] = Object.entries({ ...coarse, ...fine, ...realistic }).map(
  ([id, mutant]) => ({ id, ...mutant }),
)

/** A service of this process. */
export interface OpenService {
  readonly fetch: (request: Request) => Promise<Response>
  close(): Promise<void>
}

/** Opens a sandbox in memory with a mutant. */
export async function openMutant(mutant: Mutant): Promise<OpenService> {
  const sandbox = await openTestSandbox()
  for (const sql of mutant.state ?? []) await sandbox.run(sql)
  const id = mutant.operation === 'deliveries' ? undefined : mutant.operation
  return { fetch: planted(sandbox, plantOf(id, mutant)), close: sandbox.close }
}

/** Whether a finding is where the mutant is wrong. */
export function isNamed(
  { operation, also = [] }: Mutant,
  findings: readonly { readonly rule: string; readonly operation: string | undefined }[],
): boolean {
  const places: readonly string[] = [operation, ...also]
  return findings.some(({ rule, operation: at = '' }) =>
    operation === 'deliveries' ? rule.startsWith('deliveries-') || at.startsWith('on') : places.includes(at),
  )
}
