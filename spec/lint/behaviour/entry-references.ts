import type { Fault } from '../rule.ts'
import { entries } from './entries.ts'
import { checkEvent, checkSubscription } from './event-references.ts'
import { type Context, expectNamed, expectShown, type Targets } from './expectations.ts'
import { checkInvariant } from './invariant-references.ts'
import { checkResource } from './resource-references.ts'
import { checkCopy, checkLifetime, checkList, checkOneTimeValue } from './value-references.ts'

/** Checks that everything that a behaviour entry refers to exists in the contract. */
export function referenceFaults(targets: Targets): Fault[] {
  // What several entries name and nothing declares is one mistake.
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
