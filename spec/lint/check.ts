import { findPlaces } from '../build/sources.ts'
import { behaviourAgrees, behaviourForm } from './behaviour/check.ts'
import { readBehaviour } from './behaviour/read.ts'
import type { Facts } from './facts.ts'
import { readYaml } from './files.ts'
import type { Node } from './marks.ts'
import { findPlace } from './places.ts'
import type { Root, RuleFault } from './redocly.ts'
import type { Register } from './register.ts'
import type { Fault, Rule, RuleInput } from './rule.ts'
import { aliasesAgree } from './rules/aliases-agree.ts'
import { assumptionsMarked } from './rules/assumptions-marked.ts'
import { described } from './rules/described.ts'
import { enumsApart } from './rules/enums-apart.ts'
import { essentialFields } from './rules/essential-fields.ts'
import { examplesConform } from './rules/examples-conform.ts'
import { extensionsKnown } from './rules/extensions-known.ts'
import { factsAgree } from './rules/facts-agree.ts'
import { factsForm } from './rules/facts-form.ts'
import { factsRecorded } from './rules/facts-recorded.ts'
import { factsStatements } from './rules/facts-statements.ts'
import { linksResolve } from './rules/links-resolve.ts'
import { namesKnown } from './rules/names-known.ts'
import { marksKnown, openQuestions, questionForm } from './rules/open-questions.ts'
import { operationComplete } from './rules/operation-complete.ts'
import { operationList } from './rules/operation-list.ts'
import { schemasWork } from './rules/schemas-work.ts'
import { sentencesName } from './rules/sentences-name.ts'

type Rules = Readonly<Record<string, Rule>>

interface Stage {
  /** Rules of both contracts. */
  readonly both: Rules
  readonly openapi: Rules
  readonly guide: Rules
}

/**
 * The rules, each in a file of its name. A stage runs only if those before it found nothing, since
 * one mistake would otherwise be reported by what follows from it, too.
 */
const STAGES: readonly Stage[] = [
  // The words of each file.
  {
    both: { 'extensions-known': extensionsKnown, 'schemas-work': schemasWork },
    openapi: {
      'facts-form': factsForm,
      'question-form': questionForm,
      'behaviour-form': behaviourForm,
    },
    guide: {},
  },
  // What names another file, or another part of the contract.
  {
    both: { 'marks-known': marksKnown, 'operation-list': operationList, 'names-known': namesKnown },
    openapi: {},
    guide: {},
  },
  // Every later rule would report a fact that is missing.
  { both: { 'facts-agree': factsAgree }, openapi: {}, guide: {} },
  // What reads the bodies.
  {
    both: { 'links-resolve': linksResolve, 'essential-fields': essentialFields },
    openapi: { behaviour: behaviourAgrees, 'facts-statements': factsStatements },
    guide: {},
  },
  // What is complete.
  {
    both: {
      'operation-complete': operationComplete,
      'enums-apart': enumsApart,
      'examples-conform': examplesConform,
      described,
      'sentences-name': sentencesName,
    },
    openapi: {
      'assumptions-marked': assumptionsMarked,
      'facts-recorded': factsRecorded,
      'open-questions': openQuestions,
    },
    guide: {},
  },
  // What the short paths repeat.
  { both: {}, openapi: {}, guide: { 'aliases-agree': aliasesAgree } },
]

/** What the rules read beside the contract: the facts, the open questions, and spec/behaviour. */
export function readFiles(spec: string) {
  return {
    facts: readYaml<Facts>(spec, 'facts.yaml'),
    register: readYaml<Register>(spec, 'open-questions.yaml'),
    behaviour: readBehaviour(spec),
  }
}

/**
 * Checks both contracts with the rules of this repository, stage by stage. A stage has rules for both
 * (`both`), and for one of them (`openapi`, `guide`). A stage with faults is the last one, since later
 * rules would report the same mistakes again.
 */
export function checkRules(spec: string, contracts: Readonly<Record<Root, Node>>): RuleFault[] {
  const { openapi, guide } = contracts
  const shared = { spec, ...readFiles(spec) }
  const inputs: readonly RuleInput[] = [
    { ...shared, root: 'openapi', contract: openapi, other: guide },
    { ...shared, root: 'guide', contract: guide, other: openapi },
  ]
  for (const stage of STAGES) {
    const faults = inputs.flatMap((input) =>
      runRules(input, { ...stage.both, ...stage[input.root] }),
    )
    if (faults.length > 0) return faults
  }
  return []
}

/**
 * Runs rules on one contract. Returns their faults, each with the file and line of what it is
 * about.
 */
function runRules(input: RuleInput, rules: Rules): RuleFault[] {
  const { root, spec, contract } = input
  const faults: (Fault & { readonly rule: string })[] = []
  for (const [name, rule] of Object.entries(rules))
    for (const fault of rule(input)) faults.push({ ...fault, rule: `contract/${name}` })
  if (faults.length === 0) return []

  const bundlePlaces = findPlaces(contract, spec, `${root}.yaml`)
  return faults.map((fault) => {
    const isInBundle = fault.file === undefined
    const { file, line, col } = isInBundle
      ? nearestPlace(bundlePlaces, fault.at)
      : findPlace(spec, fault.file, fault.at)
    return { rule: fault.rule, message: fault.message, file: file.name, line, col }
  })
}

/** The place of a pointer, or of the nearest node above it. */
function nearestPlace<Place>(places: ReadonlyMap<string, Place>, at: string): Place {
  const place = places.get(at)
  if (place) return place
  if (at === '') throw new Error('the root has no place')
  return nearestPlace(places, at.slice(0, at.lastIndexOf('/')))
}
