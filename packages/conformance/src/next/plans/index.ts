import { deliveries } from './deliveries.ts'
import { examples } from './examples.ts'
import { later } from './later.ts'
import { payments } from './payments.ts'
import type { Plan } from './plan.ts'
import { refusals } from './refusals.ts'

/** All plans, in the order of a run. */
export const plans: readonly Plan[] = [examples, refusals, payments, later, deliveries]
