import { access } from './access.ts'
import { charges } from './charges.ts'
import { codes } from './codes.ts'
import { deliveries } from './deliveries.ts'
import { lists } from './lists.ts'
import { payments } from './payments.ts'
import type { Mutant } from './tools.ts'
import { transfers } from './transfers.ts'
import { webhooks } from './webhooks.ts'

/** A mutant whose service says which operations it changes. */
export type Wrong = Mutant

/** Services that are wrong in one way, written without reading the rules of the checker. */
export const mutants: readonly Wrong[] = [
  ...mutantsOf(access),
  ...mutantsOf(codes),
  ...mutantsOf(transfers),
  ...mutantsOf(charges),
  ...mutantsOf(lists),
  ...mutantsOf(webhooks),
  ...mutantsOf(deliveries),
  ...mutantsOf(payments),
]

/** The mutants of a table. Each changes the calls of its own operation by default. */
export function mutantsOf(table: readonly Mutant[]): readonly Wrong[] {
  return table.map(({ says, places, service }) => {
    const [operation] = places
    return { says, places, service: { operations: operation, ...service } }
  })
}

interface Place {
  readonly rule: string
  readonly operation: string | undefined
}

/** Whether a finding is where the service is wrong. */
export function isNamed({ places }: Wrong, findings: readonly Place[]): boolean {
  if (places.includes('deliveries')) return findings.some(isOfDelivery)
  return findings.some(({ operation = '' }) => places.includes(operation))
}

/**
 * The operations of deliveries are webhooks of the contract, such as `onTransferSettled`. A rule that
 * reads responses and events names the operation that registers webhooks.
 */
function isOfDelivery({ rule, operation = '' }: Place): boolean {
  const isOfEvent = rule === 'responses-agree' && operation === 'createWebhook'
  return isOfEvent || rule.startsWith('deliveries-') || operation.startsWith('on')
}
