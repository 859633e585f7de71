import type { Service } from '../services/wrap.ts'
import { access } from './access.ts'
import { charges } from './charges.ts'
import { codes } from './codes.ts'
import { deliveries } from './deliveries.ts'
import { lists } from './lists.ts'
import type { Mutants } from './tools.ts'
import { transfers } from './transfers.ts'
import { webhooks } from './webhooks.ts'

const tables = [access, codes, transfers, charges, lists, webhooks, deliveries]

/** A service that is wrong in one way. */
export interface Wrong {
  /** One sentence: what the service does. */
  readonly says: string
  /** The operations where a finding names it; the first is its own. */
  readonly places: readonly [string, ...string[]]
  readonly service: Service
}

/** Services that are wrong in one way, written without reading the rules of the checker. */
export const mutants: readonly Wrong[] = tables.flatMap(mutantsOf)

export function mutantsOf(table: Mutants): readonly Wrong[] {
  return Object.entries(table).flatMap(([names, own]) => {
    const [operation = '', ...others] = names.split(' ')
    return Object.entries(own).map(([says, mutant]) => ({
      says,
      places: [operation, ...others],
      service: { operations: operation, ...mutant },
    }))
  })
}

/** Whether a finding is where the service is wrong. */
export function isNamed(
  { places }: Wrong,
  findings: readonly { readonly rule: string; readonly operation: string | undefined }[],
): boolean {
  return findings.some(({ rule, operation = '' }) =>
    places.includes('deliveries')
      ? rule.startsWith('deliveries-') || operation.startsWith('on')
      : places.includes(operation),
  )
}
