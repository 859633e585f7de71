import type { Fault, FaultKind, Faults } from './fault.ts'
import { answerValues } from './faults/answer-values.ts'
import { answersApart } from './faults/answers-apart.ts'
import { attempts } from './faults/attempts.ts'
import { authorization } from './faults/authorization.ts'
import { callers } from './faults/callers.ts'
import { charges } from './faults/charges.ts'
import { credentials } from './faults/credentials.ts'
import { deliveries } from './faults/deliveries.ts'
import { events } from './faults/events.ts'
import { lists } from './faults/lists.ts'
import { money } from './faults/money.ts'
import { overRejection } from './faults/over-rejection.ts'
import { payments } from './faults/payments.ts'
import { records } from './faults/records.ts'
import { requestValidation } from './faults/request-validation.ts'
import { requestValues } from './faults/request-values.ts'
import { responseShape } from './faults/response-shape.ts'
import { state } from './faults/state.ts'
import { statusHeaders } from './faults/status-headers.ts'
import { valuesRefused } from './faults/values-refused.ts'

const KINDS: Readonly<Record<FaultKind, Faults>> = {
  'response-shape': { ...responseShape, ...answerValues },
  'status-headers': { ...statusHeaders, ...answersApart },
  'request-validation': { ...requestValidation, ...requestValues },
  'over-rejection': { ...overRejection, ...valuesRefused },
  authorization: { ...authorization, ...credentials, ...callers },
  state: { ...state, ...records, ...lists },
  money: { ...money, ...payments, ...charges },
  deliveries: { ...deliveries, ...events, ...attempts },
}

/** Every way in which a copy of the service can be wrong. */
export const faults: readonly Fault[] = Object.entries(KINDS).flatMap(([kind, of]) =>
  // The keys of a Record are of its kind, which Object.entries does not say.
  Object.entries(of).map(([id, fault]) => ({ id, kind: kind as FaultKind, ...fault })),
)
