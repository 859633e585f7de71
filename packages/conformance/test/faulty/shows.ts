import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, actorsOf, tokensOf } from './actors.ts'
import type { FaultKind } from './fault.ts'
import { faults } from './faults.ts'
import { faulty } from './start.ts'
import { openWorld, type World } from './world.ts'

/** What is looked at, what is to be seen at the right service, and what at the faulty one. */
export type Probe = readonly [see: (as: Actors) => Promise<unknown>, right: unknown, wrong: unknown]

/** Shows each fault of a kind: one service is right, the other one is wrong, and both are seen. */
export function shows(kind: FaultKind, probes: Readonly<Record<string, Probe>>): void {
  describe(kind, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld()
    })
    afterAll(() => world.close())

    for (const fault of faults.filter((it) => it.kind === kind)) {
      test(`${fault.id}: ${fault.describe}`, async () => {
        const [see, right, wrong] = probes[fault.id] ?? [async () => 'no probe', '', '']
        world.relay = undefined
        // Signed in for each look: some of them move the clock beyond the life of a token.
        const seenRight = await see(actorsOf(world, world.app.fetch, await tokensOf(world)))
        const seenWrong = await see(actorsOf(world, faulty(world, fault), await tokensOf(world)))
        expect({ right: seenRight, wrong: seenWrong }).toEqual({ right, wrong })
        expect(seenWrong).not.toEqual(seenRight)
      })
    }
  })
}
