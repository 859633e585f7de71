import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import type { Facts } from '../lint/facts.ts'
import { bundleContracts } from '../lint/redocly.ts'
import type { Fault, RuleInput } from '../lint/rule.ts'
import { factsAgree } from '../lint/rules/facts-agree.ts'
import { factsForm } from '../lint/rules/facts-form.ts'
import { factsRecorded } from '../lint/rules/facts-recorded.ts'
import { factsStatements } from '../lint/rules/facts-statements.ts'
import { operationList } from '../lint/rules/operation-list.ts'

/** The steps to an entry of facts.yaml: names of objects, and indexes of lists. */
type Steps = readonly string[]

type Change = 'lost' | 'invented' | 'repeated' | 'elsewhere'

interface ChangedFacts {
  readonly what: string
  readonly facts: Facts
}

// The parsed value of a file, as JSON.
// biome-ignore lint/suspicious/noExplicitAny: a test walks it without knowing its form
type Json = any

/** Every entry of the facts lost, repeated, moved to another object or list, and invented beside it. */
export function* changedFacts(facts: Facts): Generator<ChangedFacts> {
  for (const steps of stepsIn(facts)) {
    for (const change of ['lost', 'invented', 'repeated', 'elsewhere'] as const) {
      const copy = structuredClone(facts)
      if (!hasMade(change, copy, steps)) continue
      yield { what: `${change} ${steps.join(' > ')}`, facts: copy }
    }
  }
}

/** Which of the changes no rule refuses, of every so many. */
export function acceptedChanges(
  facts: Facts,
  faultsOf: (facts: Facts) => Fault[],
  every: number,
): string[] {
  const changes = [...changedFacts(facts)].filter((_, index) => index % every === 0)
  return changes.filter((change) => faultsOf(change.facts).length === 0).map(({ what }) => what)
}

function* stepsIn(value: Json, steps: Steps = []): Generator<Steps> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value)) {
    yield [...steps, name]
    yield* stepsIn(child, [...steps, name])
  }
}

/** Changes the entry. False if the facts would say the same. */
function hasMade(change: Change, facts: Json, steps: Steps): boolean {
  const name = steps.at(-1) ?? ''
  const holder = at(facts, steps.slice(0, -1))
  const entry = holder[name]
  const isList = Array.isArray(holder)
  switch (change) {
    case 'lost':
      remove(holder, name)
      return true
    case 'invented':
      add(holder, 'invented', isList ? 'invented' : entry)
      return true
    case 'repeated':
      add(holder, isList ? name : `${name}2`, entry)
      return true
    case 'elsewhere': {
      const other = otherHolder(facts, steps)
      if (!other || name in other) return false
      remove(holder, name)
      add(other, name, entry)
      return true
    }
  }
}

function at(facts: Json, steps: Steps): Json {
  return steps.reduce((value, step) => value[step], facts)
}

function remove(holder: Json, name: string): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
}

function add(holder: Json, name: string, entry: Json): void {
  if (Array.isArray(holder)) holder.push(entry)
  else holder[name] = entry
}

/** The object or list after the one of an entry, in the same section. */
function otherHolder(facts: Json, steps: Steps): Json {
  if (steps.length < 3) return undefined
  const above = at(facts, steps.slice(0, -2))
  const name = steps.at(-2) ?? ''
  const names = Object.keys(above)
  const next = names[(names.indexOf(name) + 1) % names.length] ?? ''
  const other = above[next]
  const isSameKind = Array.isArray(other) === Array.isArray(above[name])
  return next !== name && typeof other === 'object' && isSameKind ? other : undefined
}

const RULES = [factsForm, operationList, factsAgree, factsStatements, factsRecorded]

/** Checks facts against the contract as it is. */
export async function factsChecker(): Promise<(facts: Facts) => Fault[]> {
  const { contracts } = await bundleContracts(SPEC)
  const files = readFiles(SPEC)
  return (value) => {
    const shared = { ...files, spec: SPEC, facts: { value, file: 'facts.yaml' } }
    const inputs: readonly RuleInput[] = [
      { ...shared, root: 'openapi', contract: contracts.openapi, other: contracts.guide },
      { ...shared, root: 'guide', contract: contracts.guide, other: contracts.openapi },
    ]
    for (const rule of RULES) {
      const faults = inputs.flatMap((input) => [...rule(input)])
      if (faults.length > 0) return faults
    }
    return []
  }
}
