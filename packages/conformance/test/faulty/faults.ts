import type { Fault, FaultKind, Faults } from './fault.ts'
import { answerValues } from './faults/answer-values.ts'
import { answersApart } from './faults/answers-apart.ts'
import { attempts } from './faults/attempts.ts'
import { authorization } from './faults/authorization.ts'
import { branches } from './faults/branches.ts'
import { callers } from './faults/callers.ts'
import { charges } from './faults/charges.ts'
import { credentials } from './faults/credentials.ts'
import { deliveries } from './faults/deliveries.ts'
import { events } from './faults/events.ts'
import { httpApart } from './faults/http-apart.ts'
import { lists } from './faults/lists.ts'
import { lives } from './faults/lives.ts'
import { money } from './faults/money.ts'
import { overRejection } from './faults/over-rejection.ts'
import { payments } from './faults/payments.ts'
import { records } from './faults/records.ts'
import { requestValidation } from './faults/request-validation.ts'
import { requestValues } from './faults/request-values.ts'
import { responseShape } from './faults/response-shape.ts'
import { shownApart } from './faults/shown-apart.ts'
import { state } from './faults/state.ts'
import { statusHeaders } from './faults/status-headers.ts'
import { strangers } from './faults/strangers.ts'
import { sums } from './faults/sums.ts'
import { tellings } from './faults/tellings.ts'
import { tooStrict } from './faults/too-strict.ts'
import { valuesRefused } from './faults/values-refused.ts'

const KINDS: Readonly<Record<FaultKind, Faults>> = {
  'response-shape': { ...responseShape, ...answerValues, ...shownApart },
  'status-headers': { ...statusHeaders, ...answersApart, ...httpApart },
  'request-validation': { ...requestValidation, ...requestValues, ...branches },
  'over-rejection': { ...overRejection, ...valuesRefused, ...tooStrict },
  authorization: { ...authorization, ...credentials, ...callers, ...strangers },
  state: { ...state, ...records, ...lists, ...lives },
  money: { ...money, ...payments, ...charges, ...sums },
  deliveries: { ...deliveries, ...events, ...attempts, ...tellings },
}

/** Every way in which a copy of the service can be wrong. */
export const faults: readonly Fault[] = Object.entries(KINDS).flatMap(([kind, of]) =>
  // The keys of a Record are of its kind, which Object.entries does not say.
  Object.entries(of).map(([id, fault]) => ({ id, kind: kind as FaultKind, ...fault })),
)
