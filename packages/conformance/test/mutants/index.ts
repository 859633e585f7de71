import { planted, plantOf } from '../services/plant.ts'
import { openTestSandbox } from '../services/sandbox.ts'
import { access } from './access.ts'
import { charges } from './charges.ts'
import { codes } from './codes.ts'
import { deliveries } from './deliveries.ts'
import { lists } from './lists.ts'
import type { Mutant, Mutants } from './tools.ts'
import { transfers } from './transfers.ts'
import { webhooks } from './webhooks.ts'

const tables: Mutants = {
  ...access,
  ...codes,
  ...transfers,
  ...charges,
  ...lists,
  ...webhooks,
  ...deliveries,
}

/** Services that are wrong in one way, written without reading the rules of the checker. */
export const mutants: readonly Mutant[] = Object.entries(tables).flatMap(([operation, all]) =>
  // The tables are by operation.
  Object.entries(all).map(([id, it]) => ({ ...it, id, operation: operation as Mutant['operation'] })),
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
