import { accessCredentials, accessKinds, accessLists, accessRecords, accessTokens } from './access.ts'
import { deliveriesRetried, deliveriesSecrets, deliveriesSigned } from './attempts.ts'
import { moneyAccounts, moneyMoved, moneySettled } from './balances.ts'
import { httpBodies, httpNotations } from './bodies.ts'
import { refusalsCauses, refusalsCoded, refusalsTrue } from './causes.ts'
import {
  codesCopied,
  codesEncoded,
  codesEnded,
  codesExpiration,
  codesImages,
  keysRepeated,
  usersRepeated,
} from './codes.ts'
import {
  deliveriesOnce,
  deliveriesSent,
  deliveriesShaped,
  deliveriesShown,
  deliveriesSubscribed,
} from './deliveries.ts'
import { httpAllow, httpChallenge, httpEmpty, httpProblems, httpRequestIds } from './http.ts'
import { recordsGone, recordsNamed, recordsRefused, recordsStates, recordsThere } from './lifecycles.ts'
import { listsCurrent, listsFiltered, listsOrdered, listsPaged, listsWhole } from './lists.ts'
import { moneyDue, moneyKeys, moneySums, moneyTransfers } from './money.ts'
import { onceIssued, onceRefused, onceUnique, onceUsed } from './once.ts'
import { httpAliases, httpHead, httpIds, httpMethods, httpSlashes } from './paths.ts'
import { recordsDated, recordsKept, recordsShown } from './records.ts'
import { refusalsDeclared, refusalsInvalid } from './refusals.ts'
import { refusalsPlaced, requestsAccepted } from './requests.ts'
import {
  responsesErrors,
  responsesHeaders,
  responsesInTime,
  responsesJson,
  responsesKnown,
  responsesMediaType,
  responsesReceived,
  responsesShape,
  responsesStatus,
} from './responses.ts'
import type { Rule } from './rule.ts'
import { secretsHidden, secretsNoStack } from './secrets.ts'

/** All rules, in the order of their pages. */
export const rules: readonly Rule[] = [
  responsesStatus,
  responsesMediaType,
  responsesHeaders,
  responsesShape,
  responsesKnown,
  responsesJson,
  responsesErrors,
  responsesReceived,
  responsesInTime,
  requestsAccepted,
  accessCredentials,
  accessTokens,
  accessKinds,
  accessRecords,
  accessLists,
  refusalsInvalid,
  refusalsPlaced,
  refusalsDeclared,
  recordsShown,
  recordsKept,
  recordsDated,
  recordsThere,
  recordsNamed,
  recordsRefused,
  recordsGone,
  recordsStates,
  listsPaged,
  listsFiltered,
  listsOrdered,
  listsWhole,
  listsCurrent,
  onceIssued,
  onceUnique,
  onceUsed,
  onceRefused,
  refusalsCauses,
  refusalsCoded,
  refusalsTrue,
  moneySums,
  moneyTransfers,
  moneyDue,
  moneyMoved,
  moneySettled,
  moneyAccounts,
  codesEncoded,
  codesImages,
  codesExpiration,
  codesEnded,
  moneyKeys,
  codesCopied,
  keysRepeated,
  usersRepeated,
  deliveriesSent,
  deliveriesOnce,
  deliveriesSubscribed,
  deliveriesShaped,
  deliveriesShown,
  deliveriesSigned,
  deliveriesSecrets,
  deliveriesRetried,
  httpBodies,
  httpNotations,
  httpHead,
  httpMethods,
  httpSlashes,
  httpAliases,
  httpIds,
  httpChallenge,
  httpAllow,
  httpRequestIds,
  httpProblems,
  httpEmpty,
  secretsHidden,
  secretsNoStack,
]
