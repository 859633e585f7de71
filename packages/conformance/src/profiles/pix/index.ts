import type { Profile } from '../../engine/profile.ts'
import { balancesMoveOnce } from './balances-move-once.ts'
import { chargeAmounts } from './charge-amounts.ts'
import { chargeLasts } from './charge-lasts.ts'
import { checkShowsCharge } from './check-shows-charge.ts'
import { CODE_EDITS } from './code-edits.ts'
import { becomeCustomer } from './customer.ts'
import { deliveryBothSecretsAfterRotation } from './deliveries/both-secrets-after-rotation.ts'
import { deliveryFollowsUpdate } from './deliveries/follows-update.ts'
import { hasDelivery } from './deliveries/helpers.ts'
import { deliveryIdsApart } from './deliveries/ids-apart.ts'
import { deliveryOfCancellations } from './deliveries/of-cancellations.ts'
import { deliveryOfPayments } from './deliveries/of-payments.ts'
import { deliveryOfTransfers } from './deliveries/of-transfers.ts'
import { oldSecretEnds } from './deliveries/old-secret-ends.ts'
import { deliveryOnce } from './deliveries/once.ts'
import { deliveryRetried } from './deliveries/retried.ts'
import { deliverySchema } from './deliveries/schema.ts'
import { deliverySent } from './deliveries/sent.ts'
import { deliveryShowsRecord } from './deliveries/shows-record.ts'
import { deliverySigned } from './deliveries/signed.ts'
import { deliverySilentAfterDeletion } from './deliveries/silent-after-deletion.ts'
import { deliverySilentWhileInactive } from './deliveries/silent-while-inactive.ts'
import { deliveryTimestampBound } from './deliveries/timestamp-bound.ts'
import { deliveryToOwnerAlone } from './deliveries/to-owner-alone.ts'
import { deliveryTypeFiltered } from './deliveries/type-filtered.ts'
import { NAMED_CHECKS } from './named-checks.ts'
import { overdueAmounts } from './overdue-amounts.ts'
import { paidByCaller } from './paid-by-caller.ts'
import { paidIsFinal } from './paid-is-final.ts'
import { paidOnce } from './paid-once.ts'
import { problemDetails } from './problem-details.ts'
import { refusalUsesNothing } from './refusal-uses-nothing.ts'
import { rejectionTold } from './rejection-told.ts'
import { requestId } from './request-id.ts'
import { initiationSingleUse } from './single-use.ts'
import { transferAsLookedUp } from './transfer-as-looked-up.ts'

/** What only the partner payments API needs in code. */
export const pix: Profile = {
  rules: [
    problemDetails,
    requestId,
    paidIsFinal,
    paidOnce,
    refusalUsesNothing,
    initiationSingleUse,
    transferAsLookedUp,
    paidByCaller,
    deliveryBothSecretsAfterRotation,
    deliveryFollowsUpdate,
    deliveryIdsApart,
    deliveryOfCancellations,
    deliveryOfPayments,
    deliveryOfTransfers,
    deliveryOnce,
    deliveryRetried,
    deliverySchema,
    deliverySent,
    deliveryShowsRecord,
    deliverySigned,
    deliverySilentAfterDeletion,
    deliverySilentWhileInactive,
    deliveryTimestampBound,
    deliveryToOwnerAlone,
    deliveryTypeFiltered,
    rejectionTold,
    balancesMoveOnce,
    chargeAmounts,
    checkShowsCharge,
    chargeLasts,
    oldSecretEnds,
    overdueAmounts,
  ],
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
