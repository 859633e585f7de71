import type { Fault, FaultKind, Faults } from './fault.ts'
import { amounts } from './faults/amounts.ts'
import { attempts } from './faults/attempts.ts'
import { authorization } from './faults/authorization.ts'
import { branches } from './faults/branches.ts'
import { charges } from './faults/charges.ts'
import { credentials } from './faults/credentials.ts'
import { deliveries } from './faults/deliveries.ts'
import { deliveryDetails } from './faults/delivery-details.ts'
import { events } from './faults/events.ts'
import { httpDetails } from './faults/http-details.ts'
import { identities } from './faults/identities.ts'
import { lifecycles } from './faults/lifecycles.ts'
import { lists } from './faults/lists.ts'
import { money } from './faults/money.ts'
import { otherPartners } from './faults/other-partners.ts'
import { overRejection } from './faults/over-rejection.ts'
import { payments } from './faults/payments.ts'
import { records } from './faults/records.ts'
import { requestValidation } from './faults/request-validation.ts'
import { requestValues } from './faults/request-values.ts'
import { responseDetails } from './faults/response-details.ts'
import { responseShape } from './faults/response-shape.ts'
import { responseValues } from './faults/response-values.ts'
import { state } from './faults/state.ts'
import { statusDetails } from './faults/status-details.ts'
import { statusHeaders } from './faults/status-headers.ts'
import { tooStrict } from './faults/too-strict.ts'
import { valuesRefused } from './faults/values-refused.ts'
import { plantOf } from './plant.ts'

const KINDS: Readonly<Record<FaultKind, Faults>> = {
  'response-shape': { ...responseShape, ...responseValues, ...responseDetails },
  'status-headers': { ...statusHeaders, ...statusDetails, ...httpDetails },
  'request-validation': { ...requestValidation, ...requestValues, ...branches },
  'over-rejection': { ...overRejection, ...valuesRefused, ...tooStrict },
  authorization: { ...authorization, ...credentials, ...otherPartners, ...identities },
  state: { ...state, ...records, ...lists, ...lifecycles },
  money: { ...money, ...payments, ...charges, ...amounts },
  deliveries: { ...deliveries, ...events, ...attempts, ...deliveryDetails },
}

/** All faults. */
export const faults: readonly Fault[] = Object.entries(KINDS).flatMap(([kind, of]) =>
  // The keys of KINDS are FaultKinds, which Object.entries does not preserve.
  Object.entries(of).map(([id, { operation, elsewhere, rule, describe, ...own }]) => ({
    ...{ id, kind: kind as FaultKind, operation, elsewhere, rule, describe },
    plant: plantOf(operation, own),
  })),
)
