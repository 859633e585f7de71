import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import { changedFacts, factsChecker } from './facts-changed.ts'

const { value: facts } = readFiles(SPEC).facts
const faultsOf = await factsChecker()

it('accepts the facts as they are', () => expect(faultsOf(facts)).toEqual([]))

it('refuses each line of facts.yaml that is lost, invented, repeated or put elsewhere', () => {
  const changes = [...changedFacts(facts)]
  expect(changes.length).toBeGreaterThan(2000)
  const accepted = changes.filter(({ facts }) => faultsOf(facts).length === 0)
  expect(accepted.map(({ what }) => what)).toEqual([])
})
