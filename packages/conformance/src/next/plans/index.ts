import { boundaries } from './boundaries.ts'
import { breaks } from './breaks.ts'
import { deliveries } from './deliveries.ts'
import { examples } from './examples.ts'
import { http } from './http.ts'
import { later } from './later.ts'
import { payments } from './payments.ts'
import type { Plan } from './plan.ts'
import { random } from './random.ts'
import { refusals } from './refusals.ts'

/** All plans, in the order of a run. How invalid requests are refused must be known before valid ones are judged. */
export const plans: readonly Plan[] = [
  examples,
  breaks,
  boundaries,
  http,
  random,
  refusals,
  payments,
  later,
  deliveries,
]
