import { expect, it } from 'vitest'
import { SPEC } from '../../build/build.ts'
import { readFiles } from '../../lint/check.ts'
import { acceptedChanges, changedFacts, factsChecker } from '../facts-changed.ts'

const { value: facts } = readFiles(SPEC).facts

it('refuses each line of facts.yaml that is lost, invented, repeated or put elsewhere', async () => {
  expect([...changedFacts(facts)].length).toBeGreaterThan(2000)
  expect(acceptedChanges(facts, await factsChecker(), 1)).toEqual([])
})
