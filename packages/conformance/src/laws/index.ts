import type { Law } from '../law.ts'
import { invariants } from '../rules/invariants.ts'
import { refusals, refusalsLater } from '../rules/refusals.ts'
import { aliasesServed } from './aliases-served.ts'
import { allowOn405 } from './allow-on-405.ts'
import { answersCome } from './answers-come.ts'
import { balancesMoveOnce } from './balances-move-once.ts'
import { bodyLimit } from './body-limit.ts'
import { boundaryAccepted } from './boundary-accepted.ts'
import { breakRefused } from './break-refused.ts'
import { breakRefusedWithPointer } from './break-refused-with-pointer.ts'
import { cancelIdempotent } from './cancel-idempotent.ts'
import { cancelKept } from './cancel-kept.ts'
import { chargeAmounts } from './charge-amounts.ts'
import { chargeLasts } from './charge-lasts.ts'
import { checkShowsCharge } from './check-shows-charge.ts'
import { cursorEnds } from './cursor-ends.ts'
import { defaultsKept } from './defaults-kept.ts'
import { deleteAgainRefused } from './delete-again-refused.ts'
import { deletedNotListed } from './deleted-not-listed.ts'
import { deliveryBothSecretsAfterRotation } from './delivery-both-secrets-after-rotation.ts'
import { deliveryFollowsUpdate } from './delivery-follows-update.ts'
import { deliveryIdsApart } from './delivery-ids-apart.ts'
import { deliveryOfCancellations } from './delivery-of-cancellations.ts'
import { deliveryOfPayments } from './delivery-of-payments.ts'
import { deliveryOfTransfers } from './delivery-of-transfers.ts'
import { deliveryOnce } from './delivery-once.ts'
import { deliveryRetried } from './delivery-retried.ts'
import { deliverySchema } from './delivery-schema.ts'
import { deliverySent } from './delivery-sent.ts'
import { deliveryShowsRecord } from './delivery-shows-record.ts'
import { deliverySigned } from './delivery-signed.ts'
import { deliverySilentAfterDeletion } from './delivery-silent-after-deletion.ts'
import { deliverySilentWhileInactive } from './delivery-silent-while-inactive.ts'
import { deliveryTimestampBound } from './delivery-timestamp-bound.ts'
import { deliveryToOwnerAlone } from './delivery-to-owner-alone.ts'
import { deliveryTypeFiltered } from './delivery-type-filtered.ts'
import { duplicateKeysLast } from './duplicate-keys-last.ts'
import { echoEqualsRequest } from './echo-equals-request.ts'
import { emptyBodyRefused } from './empty-body-refused.ts'
import { exampleAccepted } from './example-accepted.ts'
import { expiredTokenRefused } from './expired-token-refused.ts'
import { filterComplete } from './filter-complete.ts'
import { filterSound } from './filter-sound.ts'
import { foreignLinkRefused } from './foreign-link-refused.ts'
import { foreignListHidden } from './foreign-list-hidden.ts'
import { foreignRecordHidden } from './foreign-record-hidden.ts'
import { foreignRecordUntouched } from './foreign-record-untouched.ts'
import { garbageTokenRefused } from './garbage-token-refused.ts'
import { goneAfterDeletion } from './gone-after-deletion.ts'
import { headEqualsGet } from './head-equals-get.ts'
import { idsApart } from './ids-apart.ts'
import { impersonatedTokenRefused } from './impersonated-token-refused.ts'
import { jsonIsJson } from './json-is-json.ts'
import { limitRespected } from './limit-respected.ts'
import { linksFollowed } from './links-followed.ts'
import { listEqualsRead } from './list-equals-read.ts'
import { listedAfterCreation } from './listed-after-creation.ts'
import { listedOnce } from './listed-once.ts'
import { malformedJsonRefused } from './malformed-json-refused.ts'
import { methodNotAllowed } from './method-not-allowed.ts'
import { newestFirst } from './newest-first.ts'
import { noAuthRefused } from './no-auth-refused.ts'
import { noContentIsEmpty } from './no-content-is-empty.ts'
import { noServerError } from './no-server-error.ts'
import { noStackInErrors } from './no-stack-in-errors.ts'
import { oddIdsRefused } from './odd-ids-refused.ts'
import { oldSecretEnds } from './old-secret-ends.ts'
import { otherRecordsUntouched } from './other-records-untouched.ts'
import { overdueAmounts } from './overdue-amounts.ts'
import { pagesDisjointAndComplete } from './pages-disjoint-and-complete.ts'
import { paidByCaller } from './paid-by-caller.ts'
import { paidIsFinal } from './paid-is-final.ts'
import { paidOnce } from './paid-once.ts'
import { parameterBoundaryAccepted } from './parameter-boundary-accepted.ts'
import { parameterBreakRefused } from './parameter-break-refused.ts'
import { problemDetails } from './problem-details.ts'
import { randomRequests } from './random-requests.ts'
import { refreshTokenRefused } from './refresh-token-refused.ts'
import { refusalUsesNothing } from './refusal-uses-nothing.ts'
import { refusedChangeLeavesNoTrace } from './refused-change-leaves-no-trace.ts'
import { rejectionTold } from './rejection-told.ts'
import { requestId } from './request-id.ts'
import { responseHeaders } from './response-headers.ts'
import { responseMediaType } from './response-media-type.ts'
import { responseSchema } from './response-schema.ts'
import { responseStatusDeclared } from './response-status-declared.ts'
import { secretChangesOnRotation } from './secret-changes-on-rotation.ts'
import { secretShownOnce } from './secret-shown-once.ts'
import { initiationSingleUse } from './single-use.ts'
import { slashTwinsApart } from './slash-twins-apart.ts'
import { timeBudget } from './time-budget.ts'
import { timestampsOrdered } from './timestamps-ordered.ts'
import { transferAsLookedUp } from './transfer-as-looked-up.ts'
import { undeclaredMembers } from './undeclared-members.ts'
import { uniqueRefused } from './unique-refused.ts'
import { unsupportedMediaType } from './unsupported-media-type.ts'
import { updateKept } from './update-kept.ts'
import { updatedAtMoves } from './updated-at-moves.ts'
import { visibleAfterCreation } from './visible-after-creation.ts'
import { wrongSchemeRefused } from './wrong-scheme-refused.ts'
import { wwwAuthenticate } from './www-authenticate.ts'

/** Every law, in the order of their phases. */
export const laws: readonly Law[] = [
  allowOn405,
  answersCome,
  invariants,
  jsonIsJson,
  listedOnce,
  noContentIsEmpty,
  noServerError,
  noStackInErrors,
  problemDetails,
  requestId,
  responseHeaders,
  responseMediaType,
  responseSchema,
  responseStatusDeclared,
  secretShownOnce,
  timeBudget,
  timestampsOrdered,
  undeclaredMembers,
  wwwAuthenticate,
  boundaryAccepted,
  exampleAccepted,
  linksFollowed,
  parameterBoundaryAccepted,
  breakRefusedWithPointer,
  breakRefused,
  parameterBreakRefused,
  cancelIdempotent,
  cancelKept,
  defaultsKept,
  deleteAgainRefused,
  deletedNotListed,
  echoEqualsRequest,
  goneAfterDeletion,
  idsApart,
  listedAfterCreation,
  refusals,
  paidIsFinal,
  paidOnce,
  refusalUsesNothing,
  secretChangesOnRotation,
  initiationSingleUse,
  transferAsLookedUp,
  uniqueRefused,
  updateKept,
  visibleAfterCreation,
  foreignLinkRefused,
  foreignListHidden,
  foreignRecordHidden,
  foreignRecordUntouched,
  garbageTokenRefused,
  impersonatedTokenRefused,
  noAuthRefused,
  paidByCaller,
  refreshTokenRefused,
  wrongSchemeRefused,
  aliasesServed,
  bodyLimit,
  duplicateKeysLast,
  emptyBodyRefused,
  headEqualsGet,
  malformedJsonRefused,
  methodNotAllowed,
  oddIdsRefused,
  slashTwinsApart,
  unsupportedMediaType,
  randomRequests,
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
  cursorEnds,
  filterComplete,
  filterSound,
  limitRespected,
  listEqualsRead,
  newestFirst,
  otherRecordsUntouched,
  pagesDisjointAndComplete,
  refusedChangeLeavesNoTrace,
  chargeLasts,
  expiredTokenRefused,
  oldSecretEnds,
  overdueAmounts,
  refusalsLater,
  updatedAtMoves,
]
