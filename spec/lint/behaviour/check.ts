import { stepsOf, valueAt } from '@partner-payments/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Behaviour } from '../../dist/behaviour.d.ts'
import { formFaults } from '../form.ts'
import { isNode, type Node } from '../marks.ts'
import { listEntries, listOperations, pointerBelow } from '../operations.ts'
import type { Fault, Rule, RuleInput } from '../rule.ts'
import { didYouMean } from '../suggest.ts'
import { createViews } from './contract-view.ts'
import { referenceFaults } from './entry-references.ts'
import type { Targets } from './expectations.ts'
import { type BehaviourFiles, findSources, readBehaviourSchema } from './read.ts'
import { roleFaults, unknownIds } from './roles.ts'

/**
 * Reports entries of spec/behaviour that do not conform to its schema, and names that two entries
 * have.
 */
export const behaviourForm: Rule = function* ({ spec, behaviour: files }) {
  const validate = compileSchema(readBehaviourSchema(spec))
  if (!validate(files.entries)) {
    for (const fault of formFaults(validate.errors ?? [])) yield inFile(fault, files)
  }
  for (const at of files.repeated) {
    const message = `Two entries are named "${stepsOf(at).at(-1)}"; rename one of them.`
    yield inFile({ at, message }, files)
  }
}

/** The validator of spec/behaviour. Kept by schema, since it takes long to compile. */
function compileSchema(schema: Node): ValidateFunction {
  const keptValidator = lastValidators.get(schema)
  if (keptValidator) return keptValidator
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true })
  ajv.addSchema(schema, 'behaviour')
  const validate = ajv.compile({ $ref: 'behaviour#/components/schemas/Behaviour' })
  lastValidators.set(schema, validate)
  return validate
}

/** Kept, since compiling takes a quarter of the time of all rules. */
const lastValidators = new WeakMap<object, ValidateFunction>()

/**
 * Checks spec/behaviour against the contract: reports entries without a source, references without
 * a target, and operations, codes and events of the contract that have no entry. Each kind is
 * reported only if those before it have no faults, since one mistake would show in several.
 */
export const behaviourAgrees: Rule = function* (input) {
  const { behaviour: files, contract } = input
  const targets: Targets = {
    contract,
    operations: new Map(createViews(contract).map((view) => [view.id, view])),
    behaviour: files.entries as Behaviour,
  }
  const faults = [...missingSources(input), ...unknownSources(input), ...entryFaults(targets)]
  for (const fault of faults) yield inFile(fault, files)
  // If a reference is misspelt, what it means seems to have no entry.
  if (faults.length > 0) return

  const missing = [...missingEntries(targets)]
  yield* missing
  // Where an id comes from depends on the role of its operation, which a missing entry lacks.
  if (missing.length === 0) yield* unknownIds(targets)
}

/** The faults of what entries refer to, and of the roles that they give to operations. */
function entryFaults(targets: Targets): readonly Fault[] {
  const references = referenceFaults(targets)
  // Where the records of a list are is read from `lists`: with a fault there, roles seem wrong too.
  const isListBroken = references.some(({ at }) => at.startsWith('/lists/'))
  if (isListBroken) return references
  return [...references, ...roleFaults(targets)]
}

/**
 * Reports entries without a source: a `fact` (a statement of the document), or the open `question`
 * that the entry makes an assumption about.
 */
function* missingSources({ behaviour }: RuleInput): Iterable<Fault> {
  for (const at of behaviour.sources.keys()) {
    // An action only names operations, whose own marks say what is assumed.
    const isAction = at.startsWith('/actions/')
    if (isAction) continue

    const entry = valueAt(behaviour.entries, at)
    const hasSource = isNode(entry) && ('fact' in entry || 'question' in entry)
    if (!hasSource) yield { at, message: 'The entry has no source; add "fact" or "question".' }
  }
}

/**
 * Reports sources that do not exist: statements of facts.yaml, and questions of
 * open-questions.yaml.
 */
function* unknownSources({ behaviour, register, facts }: RuleInput): Iterable<Fault> {
  const statements = facts.value.statements.map(({ id }) => id)
  const questions = Object.keys(register.value)
  for (const { at, kind, id } of findSources(behaviour.entries)) {
    if (kind === 'fact' && !statements.includes(id)) {
      const next = didYouMean(id, statements, '; name its open question instead.')
      yield { at, message: `facts.yaml has no statement "${id}"${next}` }
    }
    if (kind === 'question' && !questions.includes(id)) {
      const next = didYouMean(id, questions, '; add it there.')
      yield { at, message: `open-questions.yaml has no question "${id}"${next}` }
    }
  }
}

/**
 * Reports operations, error codes and events of the contract that have no entry in spec/behaviour.
 */
function* missingEntries(targets: Targets): Iterable<Fault> {
  yield* operationsWithoutRole(targets)
  yield* codesWithoutEntry(targets)
  yield* eventsWithoutEntry(targets)
}

/**
 * Reports operations of the contract that no resource and no action of spec/behaviour names, as
 * `operations: { create: createTransfer }` does.
 */
function* operationsWithoutRole({ contract, behaviour }: Targets): Iterable<Fault> {
  const { resources, actions } = behaviour
  const idsWithRole = new Set<string>()
  for (const { operations } of Object.values({ ...resources, ...actions })) {
    for (const id of Object.values(operations)) idsWithRole.add(id)
  }

  for (const { id, at } of listOperations(contract)) {
    if (idsWithRole.has(id)) continue
    const message = `No entry of "resources" or "actions" has the operation "${id}"; add it to the "operations" of one.`
    yield { at: pointerBelow(at, 'operationId'), message }
  }
}

/** Reports error codes, such as `not_found`, that examples of the contract show but no entry explains. */
function* codesWithoutEntry({ contract, operations, behaviour }: Targets): Iterable<Fault> {
  const codes = new Set<string>()
  for (const { refusals } of operations.values()) for (const { code } of refusals) codes.add(code)

  for (const code of codes) {
    if (code in (behaviour.refusals ?? {})) continue
    const message = `No entry of spec/behaviour is about the error code "${code}"; add it to "refusals".`
    yield { at: placeOfCode(contract, code), message }
  }
}

/** Reports webhooks of the contract, such as `transfer.settled`, that are no event of spec/behaviour. */
function* eventsWithoutEntry({ contract, behaviour }: Targets): Iterable<Fault> {
  for (const name of Object.keys(contract.webhooks ?? {})) {
    if (name in (behaviour.events ?? {})) continue
    const message = `No event of spec/behaviour is named "${name}"; add it to "events".`
    yield { at: pointerBelow('/webhooks', name), message }
  }
}

/**
 * Where a fault about an error code is reported: at the first example that shows the code, such as
 * `/components/examples/NotFound/value/code`, or else at the contract as a whole (an empty pointer).
 */
function placeOfCode(contract: Node, code: string): string {
  const examples = listEntries(valueAt(contract, '/components/examples'))
  const firstExample = examples.find(([, example]) => valueAt(example, '/value/code') === code)
  if (!firstExample) return ''

  const [name] = firstExample
  return pointerBelow('/components/examples', name, 'value', 'code')
}

/**
 * A fault with its file, found by the entries of `sources`, such as `/refusals/invalid_key`, and
 * their files. It is that of the entry in which the fault is, or of the first entry below it: a fault
 * at `/refusals` is in the file of the first refusal.
 */
function inFile({ at, message }: Fault, { sources }: BehaviourFiles): Fault {
  const pointers = [...sources.keys()]
  const entryAround = pointers.find((pointer) => `${at}/`.startsWith(`${pointer}/`))
  const entryBelow = pointers.find((pointer) => pointer.startsWith(`${at}/`))
  const entry = entryAround ?? entryBelow ?? pointers[0]
  const file = entry && sources.get(entry)
  return file ? { at, message, file } : { at, message }
}
