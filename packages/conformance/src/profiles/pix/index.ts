import type { Profile } from '../../engine/profile.ts'
import { hasDelivery } from '../../rules/deliveries/subscribers.ts'
import { chargeAmounts } from './charge-amounts.ts'
import { CODE_EDITS } from './code-edits.ts'
import { becomeCustomer } from './customer.ts'
import { moneyMoves } from './money-moves.ts'
import { NAMED_CHECKS } from './named-checks.ts'
import { problemDetails } from './problem-details.ts'
import { requestId } from './request-id.ts'

/** What only the partner payments API needs in code. */
export const pix: Profile = {
  rules: [problemDetails, requestId, moneyMoves, chargeAmounts],
  edits: CODE_EDITS,
  checks: NAMED_CHECKS,
  payment: { operation: 'createTransfer', amount: '/amount' },
  values: (amount, day) => ({
    createTransfer: { '/amount': amount },
    createDueDateQrCode: { '/calendar/due_date': day, '/amount/discount/fixedDateDiscount/0/date': day },
  }),
  becomeCustomer,
  hasDelivery,
}
