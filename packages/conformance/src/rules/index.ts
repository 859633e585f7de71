import type { Rule } from '../engine/rule.ts'
import { credentialsRequired } from './authorization/credentials-required.ts'
import { expiredTokenRefused } from './authorization/expired-token-refused.ts'
import { foreignLinkRefused } from './authorization/foreign-link-refused.ts'
import { foreignListHidden } from './authorization/foreign-list-hidden.ts'
import { foreignRecordHidden } from './authorization/foreign-record-hidden.ts'
import { foreignRecordUntouched } from './authorization/foreign-record-untouched.ts'
import { impersonatedTokenRefused } from './authorization/impersonated-token-refused.ts'
import { deliveriesRetried } from './deliveries/deliveries-retried.ts'
import { deliveriesSecrets } from './deliveries/deliveries-secrets.ts'
import { deliveriesSent } from './deliveries/deliveries-sent.ts'
import { deliveriesSigned } from './deliveries/deliveries-signed.ts'
import { deliveriesSubscription } from './deliveries/deliveries-subscription.ts'
import { listPages } from './lists/list-pages.ts'
import { copies } from './records/copies.ts'
import { recordChanges } from './records/record-changes.ts'
import { recordShown } from './records/record-shown.ts'
import { updatedAtMoves } from './records/updated-at-moves.ts'
import { usedRecords } from './records/used-records.ts'
import { valuesUnique } from './records/values-unique.ts'
import { oneTimeValues } from './refusals/one-time-values.ts'
import { refusalUsesNothing } from './refusals/refusal-uses-nothing.ts'
import { refusals } from './refusals/refusals.ts'
import { refusalsLater } from './refusals/refusals-later.ts'
import { aliasesServed } from './requests/aliases-served.ts'
import { bodyFormat } from './requests/body-format.ts'
import { boundaryAccepted } from './requests/boundary-accepted.ts'
import { breakRefused } from './requests/break-refused.ts'
import { exampleAccepted } from './requests/example-accepted.ts'
import { headEqualsGet } from './requests/head-equals-get.ts'
import { invalidIdsRefused } from './requests/invalid-ids-refused.ts'
import { linksFollowed } from './requests/links-followed.ts'
import { methodNotAllowed } from './requests/method-not-allowed.ts'
import { randomRequests } from './requests/random-requests.ts'
import { trailingSlash } from './requests/trailing-slash.ts'
import { allowOn405 } from './responses/allow-on-405.ts'
import { invariants } from './responses/invariants.ts'
import { listedOnce } from './responses/listed-once.ts'
import { noContentIsEmpty } from './responses/no-content-is-empty.ts'
import { noServerError } from './responses/no-server-error.ts'
import { noStackInErrors } from './responses/no-stack-in-errors.ts'
import { responseHeaders } from './responses/response-headers.ts'
import { responseMediaType } from './responses/response-media-type.ts'
import { responseReceived } from './responses/response-received.ts'
import { responseSchema } from './responses/response-schema.ts'
import { responseStatusDeclared } from './responses/response-status-declared.ts'
import { secretShownOnce } from './responses/secret-shown-once.ts'
import { timeBudget } from './responses/time-budget.ts'
import { undeclaredFields } from './responses/undeclared-fields.ts'
import { validJson } from './responses/valid-json.ts'
import { wwwAuthenticate } from './responses/www-authenticate.ts'

/** The rules that read the contract and its declared behaviour. */
export const rules: readonly Rule[] = [
  allowOn405,
  responseReceived,
  invariants,
  validJson,
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
  undeclaredFields,
  wwwAuthenticate,
  boundaryAccepted,
  exampleAccepted,
  linksFollowed,
  breakRefused,
  copies,
  oneTimeValues,
  refusalUsesNothing,
  recordChanges,
  recordShown,
  refusals,
  valuesUnique,
  usedRecords,
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
  invalidIdsRefused,
  trailingSlash,
  randomRequests,
  listPages,
  deliveriesRetried,
  deliveriesSent,
  deliveriesSigned,
  deliveriesSubscription,
  deliveriesSecrets,
  expiredTokenRefused,
  refusalsLater,
  updatedAtMoves,
]
