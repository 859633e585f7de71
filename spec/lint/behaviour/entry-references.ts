import type { Fault } from '../rule.ts'
import { entries } from './entries.ts'
import { checkEvent, checkSubscription } from './event-references.ts'
import { type Context, expectNamed, expectShown, type Targets } from './expectations.ts'
import { checkInvariant } from './invariant-references.ts'
import { checkResource } from './resource-references.ts'
import { checkCopy, checkLifetime, checkList, checkOneTimeValue } from './value-references.ts'

/**
 * Reports what entries of spec/behaviour name and the contract, or another entry, does not have:
 * operations, fields, values, error codes, states and events.
 */
export function referenceFaults(targets: Targets): Fault[] {
  // By their messages: what several entries name and nothing declares is reported once.
  const faults = new Map<string, Fault>()
  const context: Context = {
    ...targets,
    report: (at, message) => {
      if (!faults.has(message)) faults.set(message, { at, message })
    },
  }
  const { behaviour } = targets

  for (const [id, list] of entries(behaviour.lists)) checkList(context, list, id)
  // Without the items of a list, the fields of its records are missing, too.
  if (faults.size > 0) return [...faults.values()]

  for (const [name, resource] of entries(behaviour.resources))
    checkResource(context, resource, `/resources/${name}`)

  for (const [code] of entries(behaviour.refusals)) expectShown(context, code, `/refusals/${code}`)

  for (const [name, value] of entries(behaviour.oneTimeValues))
    checkOneTimeValue(context, value, `/oneTimeValues/${name}`)

  for (const [name, lifetime] of entries(behaviour.lifetimes))
    checkLifetime(context, lifetime, `/lifetimes/${name}`)

  for (const [name, { refusal }] of entries(behaviour.permissions))
    expectNamed(context, 'refusal', behaviour.refusals, refusal, `/permissions/${name}/refusal`)

  for (const [name, copy] of entries(behaviour.copies)) checkCopy(context, copy, `/copies/${name}`)

  for (const [name, invariant] of entries(behaviour.invariants))
    checkInvariant(context, invariant, `/invariants/${name}`)

  for (const [name, event] of entries(behaviour.events)) checkEvent(context, event, name)

  const subscription = behaviour.deliveries?.subscription
  if (subscription) checkSubscription(context, subscription)

  return [...faults.values()]
}
