import { join } from 'node:path'
import type { NormalizedProblem } from '@redocly/openapi-core'
import { sourcesOf } from '../build/sources.ts'
import { behaviourAgrees } from './behaviour/check.ts'
import { readBehaviour } from './behaviour/read.ts'
import type { Facts } from './facts.ts'
import type { Node } from './marks.ts'
import { readYaml } from './read-yaml.ts'
import type { Register } from './register.ts'
import type { Rule, RuleInput } from './rule.ts'
import { aliasesAgree } from './rules/aliases-agree.ts'
import { assumptionsMarked } from './rules/assumptions-marked.ts'
import { described } from './rules/described.ts'
import { enumsApart } from './rules/enums-apart.ts'
import { essentialFields } from './rules/essential-fields.ts'
import { factsAgree } from './rules/facts-agree.ts'
import { factsStatements } from './rules/facts-statements.ts'
import { openQuestions } from './rules/open-questions.ts'
import { operationComplete } from './rules/operation-complete.ts'
import { operationList } from './rules/operation-list.ts'

/** The rules of both contracts, each in a file of its name. */
const RULES: Readonly<Record<string, Rule>> = {
  described,
  'enums-apart': enumsApart,
  'essential-fields': essentialFields,
  'facts-agree': factsAgree,
  'open-questions': openQuestions,
  'operation-complete': operationComplete,
  'operation-list': operationList,
}

/** The rules of one contract. */
const OWN_RULES: Readonly<Record<RuleInput['root'], Readonly<Record<string, Rule>>>> = {
  openapi: {
    'assumptions-marked': assumptionsMarked,
    behaviour: behaviourAgrees,
    'facts-statements': factsStatements,
  },
  guide: { 'aliases-agree': aliasesAgree },
}

/** The files beside the contract. */
export function readFiles(spec: string) {
  return {
    facts: readYaml<Facts>(join(spec, 'facts.yaml')),
    register: readYaml<Register>(join(spec, 'open-questions.yaml')),
    behaviour: readBehaviour(spec),
  }
}

/** Checks both contracts with the rules that Redocly does not have. */
export function checkRules(
  spec: string,
  { openapi, guide }: Record<RuleInput['root'], Node>,
): NormalizedProblem[] {
  const shared = { spec, ...readFiles(spec) }
  return [
    ...check({ ...shared, root: 'openapi', contract: openapi, other: guide }),
    ...check({ ...shared, root: 'guide', contract: guide, other: openapi }),
  ]
}

function check(input: RuleInput): NormalizedProblem[] {
  const { root, spec, contract } = input
  const rules = Object.entries({ ...RULES, ...OWN_RULES[root] })
  const faults = rules.flatMap(([name, rule]) =>
    Array.from(rule(input), (fault) => ({ ruleId: `contract/${name}`, ...fault })),
  )
  if (faults.length === 0) return []

  const sources = sourcesOf(contract, spec, `${root}.yaml`)
  return faults.map(({ ruleId, message, at, source }) => ({
    ruleId,
    severity: 'error',
    message,
    suggest: [],
    location: [
      source
        ? { source, pointer: `#${at}`, reportOnKey: true }
        : lineOf(spec, sources[at] ?? `${root}.yaml:1`),
    ],
  }))
}

/** The location of a `file:line` of the contract. */
function lineOf(spec: string, place: string) {
  const [file = '', line] = place.split(':')
  const { source } = readYaml(join(spec, file))
  return {
    source,
    pointer: undefined,
    start: { line: Number(line), col: 1 },
  }
}
