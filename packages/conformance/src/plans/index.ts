import { breaks } from './breaks.ts'
import { causes } from './causes.ts'
import { deliveries } from './deliveries.ts'
import { boundaries, random } from './edits.ts'
import { examples } from './examples.ts'
import { http } from './http.ts'
import { identities } from './identities.ts'
import { later } from './later.ts'
import { lifecycles } from './lifecycles.ts'
import { lists } from './lists.ts'
import { payments } from './payments.ts'
import type { Plan } from './plan.ts'
import { races } from './races.ts'

/** All plans, in the order of a run. How invalid requests are refused must be known before valid ones are judged. */
export const plans: readonly Plan[] = [
  examples,
  breaks,
  boundaries,
  http,
  random,
  causes,
  lifecycles,
  lists,
  identities,
  races,
  payments,
  later,
  deliveries,
]
