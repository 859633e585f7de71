import { pointerOf } from '@partner-payments/text'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Behaviour } from '../../dist/behaviour.d.ts'
import { isNode, type Node } from '../marks.ts'
import type { Fault, Rule, RuleInput } from '../rule.ts'
import { type OperationView, viewsOf } from './contract-view.ts'
import { type Entry, merged, readBehaviourSchema, sourcesIn } from './read.ts'
import { referenceFaults } from './references.ts'

/**
 * Checks spec/behaviour: reports entries that do not match its schema, have no source, or have unresolvable references;
 * and operations, codes and events of the contract without an entry.
 */
export const behaviourAgrees: Rule = (input) => {
  const { behaviour: entries, contract } = input
  const malformed = formFaults(input)
  // References of invalid entries cannot be checked.
  if (malformed.length > 0) return malformed.map((it) => located(it, entries))
  const behaviour = merged(entries) as Behaviour
  const operations = new Map(viewsOf(contract).map((it) => [it.id, it]))
  const faults = [
    ...nameFaults(entries),
    ...sourceFaults(input),
    ...referenceFaults({ contract, operations, behaviour }),
    ...missing(contract, behaviour, operations),
  ]
  return faults.map((it) => located(it, entries))
}

function formFaults({ spec, behaviour }: RuleInput): Fault[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  const validate = ajv
    .addSchema(readBehaviourSchema(spec), 'behaviour')
    .compile({ $ref: 'behaviour#/components/schemas/Behaviour' })
  if (validate(merged(behaviour))) return []
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, message, params }) => ({
      at: instancePath,
      message: `It ${message}${named(params)}`,
    }))
}

function named(params: Node): string {
  const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues
  return name === undefined ? '' : `: ${String(name)}`
}

/** Names are unique over all files. */
function nameFaults(entries: readonly Entry[]): Fault[] {
  const places = entries.map(({ section, name }) => placeOf(section, name))
  return [...new Set(places.filter((it, index) => places.indexOf(it) !== index))].map((at) => ({
    at,
    message: 'Two entries have this name',
  }))
}

/** Each entry has a source, and each source exists. */
function sourceFaults({ behaviour: entries, register, facts: { statements } }: RuleInput): Fault[] {
  const facts = new Set(statements.map(({ id }) => id))
  return entries.flatMap(({ section, name, value }) => {
    const at = placeOf(section, name)
    const hasOwn = isNode(value) && ('fact' in value || 'question' in value)
    const lost = sourcesIn(value, at).flatMap((it): Fault[] => {
      if (it.fact !== undefined && !facts.has(it.fact))
        return [{ at: it.at, message: `facts.yaml has no statement "${it.fact}"` }]
      if (it.question !== undefined && !(it.question in register))
        return [{ at: it.at, message: `open-questions.yaml has no question "${it.question}"` }]
      return []
    })
    return hasOwn ? lost : [...lost, { at, message: 'The entry must have "fact" or "question"' }]
  })
}

/** Operations, error codes and events of the contract without an entry. */
function missing(
  contract: Node,
  behaviour: Behaviour,
  operations: ReadonlyMap<string, OperationView>,
): Fault[] {
  const text = JSON.stringify(behaviour)
  const views = [...operations.values()]
  const codes = new Set(views.flatMap(({ refusals }) => refusals.map(({ code }) => code)))
  const events = isNode(contract.webhooks) ? Object.keys(contract.webhooks) : []
  const lack = (kind: string, name: string): Fault => ({
    at: '',
    message: `No entry mentions the ${kind} "${name}"`,
  })
  return [
    ...views.filter(({ id }) => !new RegExp(`"${id}["#]`).test(text)).map(({ id }) => lack('operation', id)),
    ...[...codes].filter((it) => !(it in (behaviour.refusals ?? {}))).map((it) => lack('error code', it)),
    ...events.filter((it) => !(it in (behaviour.events ?? {}))).map((it) => lack('event', it)),
  ]
}

function placeOf(section: string, name: string): string {
  return name ? pointerOf(`/${section}`, name) : `/${section}`
}

/** Locates a fault in the file of the entry. */
function located({ at, message }: Fault, entries: readonly Entry[]): Fault {
  const isOwn = ({ section, name }: Entry) => `${at}/`.startsWith(`${placeOf(section, name)}/`)
  const { source } = entries.find(isOwn) ?? entries[0] ?? {}
  return { at, message: `${message}.`, ...(source && { source }) }
}
