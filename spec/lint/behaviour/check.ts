import { valueAt } from '@partner-payments/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Behaviour } from '../../dist/behaviour.d.ts'
import { isNode, type Node } from '../marks.ts'
import type { Fault, Rule, RuleInput } from '../rule.ts'
import { viewsOf } from './contract-view.ts'
import type { Known } from './expectations.ts'
import { type BehaviourFiles, readBehaviourSchema, sourcesIn } from './read.ts'
import { referenceFaults } from './references.ts'
import { roleFaults } from './roles.ts'

/**
 * Checks spec/behaviour: reports entries that do not match its schema, have no source, or have
 * unresolvable references; and codes and events of the contract without an entry.
 */
export const behaviourAgrees: Rule = (input) => {
  const { behaviour: files, contract } = input
  const malformed = formFaults(input)
  // References of invalid entries cannot be checked.
  if (malformed.length > 0) return malformed.map((fault) => located(fault, files))

  const known: Known = {
    contract,
    operations: new Map(viewsOf(contract).map((view) => [view.id, view])),
    behaviour: files.entries as Behaviour,
  }
  const faults = [
    ...files.repeated.map((at) => ({ at, message: 'Two entries have this name' })),
    ...sourceFaults(input),
    ...referenceFaults(known),
    ...roleFaults(known),
    ...missing(known),
  ]
  return faults.map((fault) => located(fault, files))
}

function formFaults({ spec, behaviour }: RuleInput): Fault[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  ajv.addSchema(readBehaviourSchema(spec), 'behaviour')
  const validate = ajv.compile({ $ref: 'behaviour#/components/schemas/Behaviour' })
  if (validate(behaviour.entries)) return []

  // Beside an "if" that fails is the error of its "then".
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  return errors.map(({ instancePath, message, params }) => ({
    at: instancePath,
    message: `It ${message}${named(params)}`,
  }))
}

/** The name that an error of the schema is about. */
function named(params: Node): string {
  const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues
  return name === undefined ? '' : `: ${String(name)}`
}

/** Each entry has a source, and each source exists. */
function* sourceFaults({ behaviour, register, facts }: RuleInput): Iterable<Fault> {
  const { entries, sources } = behaviour
  for (const at of sources.keys()) {
    const entry = valueAt(entries, at)
    const hasSource = isNode(entry) && ('fact' in entry || 'question' in entry)
    if (!hasSource) yield { at, message: 'The entry must have "fact" or "question"' }
  }

  const statements = new Set(facts.value.statements.map(({ id }) => id))
  for (const { at, kind, id } of sourcesIn(entries)) {
    if (kind === 'fact' && !statements.has(id))
      yield { at, message: `facts.yaml has no statement "${id}"` }
    if (kind === 'question' && !(id in register.value))
      yield { at, message: `open-questions.yaml has no question "${id}"` }
  }
}

/** Error codes and events of the contract without an entry. */
function* missing({ contract, operations, behaviour }: Known): Iterable<Fault> {
  const { refusals = {}, events = {} } = behaviour
  const codes = [...operations.values()].flatMap((view) => view.refusals.map(({ code }) => code))
  const lacking = {
    'error code': codes.filter((code) => !(code in refusals)),
    event: Object.keys(contract.webhooks ?? {}).filter((name) => !(name in events)),
  }
  for (const [kind, names] of Object.entries(lacking))
    for (const name of new Set(names))
      yield { at: '', message: `No entry mentions the ${kind} "${name}"` }
}

/** Locates a fault in the file of the entry. */
function located({ at, message }: Fault, { sources }: BehaviourFiles): Fault {
  const all = [...sources]
  const isWithin = ([entry]: [string, unknown]) => `${at}/`.startsWith(`${entry}/`)
  const [, source] = all.find(isWithin) ?? all[0] ?? []
  return {
    at,
    message: `${message}.`,
    ...(source && { source }),
  }
}
