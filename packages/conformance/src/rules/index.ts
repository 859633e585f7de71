import { accessRules } from './access.ts'
import { attemptRules } from './attempts.ts'
import { codeRules } from './codes.ts'
import { consistencyRules } from './consistency.ts'
import { deliveryRules } from './deliveries.ts'
import { eventRules } from './events.ts'
import { httpRules } from './http.ts'
import { invariantRules } from './invariants.ts'
import { lifecycleRules } from './lifecycles.ts'
import { listRules } from './lists.ts'
import { lookUpRules } from './look-ups.ts'
import { moneyRules } from './money.ts'
import { onceRules } from './once.ts'
import { paymentRules } from './payments.ts'
import { recordRules } from './records.ts'
import { refusalRules } from './refusals.ts'
import { requestRules } from './requests.ts'
import { responseRules } from './responses.ts'
import type { Rule } from './rule.ts'
import { secretRules } from './secrets.ts'

/** All rules, in the order of their pages. */
export const rules: readonly Rule[] = [
  ...responseRules,
  ...invariantRules,
  ...requestRules,
  ...accessRules,
  ...refusalRules,
  ...recordRules,
  ...lifecycleRules,
  ...listRules,
  ...onceRules,
  ...moneyRules,
  ...paymentRules,
  ...consistencyRules,
  ...codeRules,
  ...lookUpRules,
  ...deliveryRules,
  ...eventRules,
  ...attemptRules,
  ...httpRules,
  ...secretRules,
]
