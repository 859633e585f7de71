import { afterAll, beforeAll, expect, test } from 'vitest'
import { actorsOf, tokensOf } from './actors.ts'
import { faults } from './faults.ts'
import type { Probe } from './probe.ts'
import { answerValuesProbes } from './probes/answer-values.ts'
import { answersApartProbes } from './probes/answers-apart.ts'
import { attemptsProbes } from './probes/attempts.ts'
import { authorizationProbes } from './probes/authorization.ts'
import { branchesProbes } from './probes/branches.ts'
import { callersProbes } from './probes/callers.ts'
import { chargesProbes } from './probes/charges.ts'
import { credentialsProbes } from './probes/credentials.ts'
import { deliveriesProbes } from './probes/deliveries.ts'
import { eventsProbes } from './probes/events.ts'
import { httpApartProbes } from './probes/http-apart.ts'
import { listsProbes } from './probes/lists.ts'
import { livesProbes } from './probes/lives.ts'
import { moneyProbes } from './probes/money.ts'
import { overRejectionProbes } from './probes/over-rejection.ts'
import { paymentsProbes } from './probes/payments.ts'
import { recordsProbes } from './probes/records.ts'
import { requestValidationProbes } from './probes/request-validation.ts'
import { requestValuesProbes } from './probes/request-values.ts'
import { responseShapeProbes } from './probes/response-shape.ts'
import { shownApartProbes } from './probes/shown-apart.ts'
import { stateProbes } from './probes/state.ts'
import { statusHeadersProbes } from './probes/status-headers.ts'
import { strangersProbes } from './probes/strangers.ts'
import { sumsProbes } from './probes/sums.ts'
import { tellingsProbes } from './probes/tellings.ts'
import { tooStrictProbes } from './probes/too-strict.ts'
import { valuesRefusedProbes } from './probes/values-refused.ts'
import { planted } from './start.ts'
import { openWorld, type World } from './world.ts'

const probes: Readonly<Record<string, Probe>> = {
  ...responseShapeProbes,
  ...answerValuesProbes,
  ...statusHeadersProbes,
  ...answersApartProbes,
  ...requestValidationProbes,
  ...requestValuesProbes,
  ...overRejectionProbes,
  ...valuesRefusedProbes,
  ...authorizationProbes,
  ...stateProbes,
  ...moneyProbes,
  ...deliveriesProbes,
  ...credentialsProbes,
  ...callersProbes,
  ...recordsProbes,
  ...listsProbes,
  ...paymentsProbes,
  ...chargesProbes,
  ...eventsProbes,
  ...attemptsProbes,
  ...branchesProbes,
  ...httpApartProbes,
  ...livesProbes,
  ...shownApartProbes,
  ...strangersProbes,
  ...sumsProbes,
  ...tellingsProbes,
  ...tooStrictProbes,
}

// One for all of them, since most of the time goes into opening it.
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

for (const fault of faults)
  test(`${fault.kind}: ${fault.id}: ${fault.describe}`, async () => {
    const [see, right, wrong] = probes[fault.id] ?? [async () => 'no probe', '', '']
    world.relay = undefined
    // Signed in for each look: some of them move the clock beyond the life of a token.
    const seenRight = await see(actorsOf(world, world.app.fetch, await tokensOf(world)))
    const seenWrong = await see(actorsOf(world, planted(world, fault.plant), await tokensOf(world)))
    expect({ right: seenRight, wrong: seenWrong }).toEqual({ right, wrong })
    expect(seenWrong).not.toEqual(seenRight)
  })
