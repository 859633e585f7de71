import type { Rule } from '../engine/rule.ts'
import { credentialsRequired } from './authorization/credentials.ts'
import { expiredTokenRefused } from './authorization/expired-token-refused.ts'
import { foreignLinkRefused } from './authorization/foreign-link-refused.ts'
import { foreignListHidden } from './authorization/foreign-list-hidden.ts'
import { foreignRecordHidden } from './authorization/foreign-record-hidden.ts'
import { foreignRecordUntouched } from './authorization/foreign-record-untouched.ts'
import { impersonatedTokenRefused } from './authorization/impersonated-token-refused.ts'
import { copies } from './copies.ts'
import { deliveriesRetried } from './deliveries/retried.ts'
import { deliveriesSecrets } from './deliveries/secrets.ts'
import { deliveriesSent } from './deliveries/sent.ts'
import { deliveriesSigned } from './deliveries/signed.ts'
import { deliveriesSubscription } from './deliveries/subscription.ts'
import { invariants } from './invariants.ts'
import { cursorEnds } from './lists/cursor-ends.ts'
import { filterComplete } from './lists/filter-complete.ts'
import { filterSound } from './lists/filter-sound.ts'
import { limitRespected } from './lists/limit-respected.ts'
import { listEqualsRead } from './lists/list-equals-read.ts'
import { newestFirst } from './lists/newest-first.ts'
import { pagesDisjointAndComplete } from './lists/pages-disjoint-and-complete.ts'
import { oneTimeValues } from './one-time-values.ts'
import { cancelIdempotent } from './records/cancel-idempotent.ts'
import { cancelKept } from './records/cancel-kept.ts'
import { defaultsKept } from './records/defaults-kept.ts'
import { deleteAgainRefused } from './records/delete-again-refused.ts'
import { deletedNotListed } from './records/deleted-not-listed.ts'
import { goneAfterDeletion } from './records/gone-after-deletion.ts'
import { idsApart } from './records/ids-apart.ts'
import { listedAfterCreation } from './records/listed-after-creation.ts'
import { otherRecordsUntouched } from './records/other-records-untouched.ts'
import { refusedChangeLeavesNoTrace } from './records/refused-change-leaves-no-trace.ts'
import { secretChangesOnRotation } from './records/secret-changes-on-rotation.ts'
import { uniqueRefused } from './records/unique-refused.ts'
import { updateKept } from './records/update-kept.ts'
import { updatedAtMoves } from './records/updated-at-moves.ts'
import { visibleAfterCreation } from './records/visible-after-creation.ts'
import { refusalUsesNothing } from './refusal-uses-nothing.ts'
import { refusals, refusalsLater } from './refusals.ts'
import { aliasesServed } from './requests/aliases-served.ts'
import { bodyFormat } from './requests/bodies.ts'
import { echoEqualsRequest } from './requests/echo-equals-request.ts'
import { exampleAccepted } from './requests/example-accepted.ts'
import { headEqualsGet } from './requests/head-equals-get.ts'
import { linksFollowed } from './requests/links-followed.ts'
import { methodNotAllowed } from './requests/method-not-allowed.ts'
import { oddIdsRefused } from './requests/odd-ids-refused.ts'
import { randomRequests } from './requests/random-requests.ts'
import { slashTwinsApart } from './requests/slash-twins-apart.ts'
import { boundaryAccepted, breakRefused } from './requests/values.ts'
import { allowOn405 } from './responses/allow-on-405.ts'
import { answersCome } from './responses/answers-come.ts'
import { jsonIsJson } from './responses/json-is-json.ts'
import { listedOnce } from './responses/listed-once.ts'
import { noContentIsEmpty } from './responses/no-content-is-empty.ts'
import { noServerError } from './responses/no-server-error.ts'
import { noStackInErrors } from './responses/no-stack-in-errors.ts'
import { responseHeaders } from './responses/response-headers.ts'
import { responseMediaType } from './responses/response-media-type.ts'
import { responseSchema } from './responses/response-schema.ts'
import { responseStatusDeclared } from './responses/response-status-declared.ts'
import { secretShownOnce } from './responses/secret-shown-once.ts'
import { timeBudget } from './responses/time-budget.ts'
import { timestampsOrdered } from './responses/timestamps-ordered.ts'
import { undeclaredMembers } from './responses/undeclared-members.ts'
import { wwwAuthenticate } from './responses/www-authenticate.ts'
import { usedRecords } from './used-records.ts'

/** The rules that any contract can be checked by. */
export const rules: readonly Rule[] = [
  allowOn405,
  answersCome,
  invariants,
  jsonIsJson,
  listedOnce,
  noContentIsEmpty,
  noServerError,
  noStackInErrors,
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
  breakRefused,
  cancelIdempotent,
  cancelKept,
  copies,
  defaultsKept,
  deleteAgainRefused,
  deletedNotListed,
  echoEqualsRequest,
  goneAfterDeletion,
  idsApart,
  listedAfterCreation,
  oneTimeValues,
  refusalUsesNothing,
  refusals,
  secretChangesOnRotation,
  uniqueRefused,
  updateKept,
  usedRecords,
  visibleAfterCreation,
  foreignLinkRefused,
  foreignListHidden,
  foreignRecordHidden,
  foreignRecordUntouched,
  impersonatedTokenRefused,
  credentialsRequired,
  aliasesServed,
  headEqualsGet,
  bodyFormat,
  methodNotAllowed,
  oddIdsRefused,
  slashTwinsApart,
  randomRequests,
  deliveriesRetried,
  deliveriesSent,
  deliveriesSigned,
  deliveriesSubscription,
  cursorEnds,
  filterComplete,
  filterSound,
  limitRespected,
  listEqualsRead,
  newestFirst,
  otherRecordsUntouched,
  pagesDisjointAndComplete,
  refusedChangeLeavesNoTrace,
  deliveriesSecrets,
  expiredTokenRefused,
  refusalsLater,
  updatedAtMoves,
]
