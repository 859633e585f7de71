import type { Plan } from './plan.ts'
import { sendValid } from './valid.ts'

/** Each operation with each example of the contract. */
export const examples: Plan = {
  id: 'examples',
  says: 'Sends the examples of the contract to each operation, and uses what they return.',
  wants: ['responses-shape', 'records-shown', 'records-kept', 'codes-copied', 'once-issued'],
  async run(context) {
    const { contract, send } = context
    const operations = contract.operations.filter(({ isAlias }) => !isAlias)
    for (const { id } of operations)
      for (let example = 0; example < Math.max(1, contract.examples(id).length); example++)
        await sendValid(context, id, { example })
    // What the requests above have created, changed and ended.
    for (const { id } of operations) if (id.startsWith('list')) await send(id)
  },
}
