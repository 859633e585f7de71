import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import { acceptedChanges, factsChecker } from './facts-changed.ts'

const { value: facts } = readFiles(SPEC).facts
const faultsOf = await factsChecker()

it('accepts the facts as they are', () => expect(faultsOf(facts)).toEqual([]))

it('refuses a line of facts.yaml that is lost, invented, repeated or put elsewhere', () => {
  expect(acceptedChanges(facts, faultsOf, 11)).toEqual([])
})
