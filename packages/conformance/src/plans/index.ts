import { boundaries } from './boundaries.ts'
import { breaks } from './breaks.ts'
import { causes } from './causes.ts'
import { deliveries } from './deliveries.ts'
import { funds } from './funds.ts'
import { http } from './http.ts'
import { identities } from './identities.ts'
import { later } from './later.ts'
import { lifecycles } from './lifecycles.ts'
import { lists } from './lists.ts'
import { payments } from './payments.ts'
import type { Plan } from './plan.ts'
import { races } from './races.ts'
import { random } from './random.ts'
import { sendValidRequest } from './send-valid.ts'

/** Sends the examples of the contract to each operation, and uses what they return. */
const examples: Plan = {
  id: 'examples',
  wants: ['responses-shape', 'records-shown', 'records-kept', 'codes-copied', 'once-issued'],
  /** Sends one valid request for each example of each operation, and then reads all lists. */
  async run(context) {
    const { contract, send, sideBySide } = context
    const operations = contract.operations.filter(({ isAlias }) => !isAlias)
    // Such as `[{ id: 'checkKey', example: 0 }, { id: 'checkKey', example: 1 }, …]`.
    const requests: { readonly id: string; readonly example: number }[] = []
    for (const { id } of operations) {
      // An operation without a body has no example, and is sent once.
      const count = Math.max(1, contract.examples(id).length)
      for (let example = 0; example < count; example++) requests.push({ id, example })
    }
    await sideBySide(requests, ({ id, example }) => sendValidRequest(context, id, { example }))
    // The lists show what these requests have created, changed and ended.
    const lists = operations.filter(({ role }) => role === 'list')
    await sideBySide(lists, ({ id }) => send(id))
  },
}

/**
 * All plans, in the order of a run. How invalid requests are refused must be known before valid
 * ones are judged.
 */
export const plans: readonly Plan[] = [
  examples,
  breaks,
  http,
  boundaries,
  random,
  causes,
  lifecycles,
  lists,
  identities,
  races,
  payments,
  later,
  deliveries,
  funds,
]
