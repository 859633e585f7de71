import { createCharges } from './causes/charges.ts'
import { checkCodes } from './causes/codes.ts'
import { checkKeys } from './causes/keys.ts'
import { payDueAndImmediateCodes, payStaticCode } from './causes/pay-codes.ts'
import { payKeys } from './causes/pay-keys.ts'
import { registerUrls } from './causes/urls.ts'
import type { Plan } from './plan.ts'

/**
 * Gives the service each declared reason to refuse a request. It sends edits of a request that was
 * just accepted: those that a rule forbids, and those at its edge, which the rule allows.
 */
export const causes: Plan = {
  id: 'causes',
  beside: 'edits',
  wants: ['refusals-causes', 'refusals-coded', 'refusals-true', 'once-refused'],
  /** Sends the requests of each topic. Topics are independent, so that they may run side by side. */
  async run(context) {
    const topics = [
      checkKeys,
      createCharges,
      checkCodes,
      payKeys,
      payStaticCode,
      payDueAndImmediateCodes,
      registerUrls,
    ]
    await context.sideBySide(topics, (sendRequests) => sendRequests(context))
  },
}
