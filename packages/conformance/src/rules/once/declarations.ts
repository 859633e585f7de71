import type { OneTimeValue, Resource, Unique } from '@partner-payments/spec/behaviour'
import { behaviour } from '../../contract/behaviour.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { SentValue } from '../../model/values.ts'
import type { Model } from '../../model.ts'

const { resources } = behaviour
const oneTimeValues: Readonly<Record<string, OneTimeValue>> = behaviour.oneTimeValues

/** A one-time value that a request sends, and what spec/behaviour declares of it. */
export interface SentOneTimeValue extends SentValue {
  readonly declared: OneTimeValue
}

/** Lists the one-time values that a request sends. Unique values, such as a `tx_id`, are left to another rule. */
export function listSentOneTimeValues(exchange: Exchange, { values }: Model): SentOneTimeValue[] {
  const sentOneTimeValues: SentOneTimeValue[] = []
  for (const sentValue of values.listSentValues(exchange)) {
    const declared = findOneTimeValue(sentValue.name)
    // A unique value has a scope: the records among which it is unique.
    const isUnique = sentValue.scope !== undefined
    if (!isUnique && declared) sentOneTimeValues.push({ ...sentValue, declared })
  }
  return sentOneTimeValues
}

/** What spec/behaviour declares of a one-time value, by its name, such as `initiation`. Undefined of a unique value. */
export function findOneTimeValue(name: string): OneTimeValue | undefined {
  return oneTimeValues[name]
}

/**
 * Finds what spec/behaviour declares of a unique value: `{ scope: 'partner', refusal: 'tx_id_taken' }` of the `/tx_id`
 * with which a code is created. Undefined of a one-time value.
 */
export function findUniqueField(
  { pointer }: SentValue,
  { operation }: Exchange,
): Unique | undefined {
  const created = Object.values<Resource>(resources).find(
    ({ operations }) => operations.create === operation?.id,
  )
  return created?.unique?.[pointer]
}

/** Whether a later request must send back a value that a response issues, such as an `initiation_id`. */
export function mustBeSentBack(name: string): boolean {
  return findOneTimeValue(name)?.unissued !== undefined
}
