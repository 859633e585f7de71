import { join, relative } from 'node:path'
import { fieldsOf, stepsOf, valueAt } from '@partner-payments/contract'
import {
  bundle,
  type Config,
  lint,
  loadConfig,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import { contractFiles, openFile, readYaml } from './files.ts'
import type { Node } from './marks.ts'
import { findPlace, type Located } from './places.ts'
import { didYouMean } from './suggest.ts'

/** The two documents of the contract. */
export const ROOTS = ['openapi', 'guide'] as const

export type Root = (typeof ROOTS)[number]

/** A fault with the rule that found it. */
export interface RuleFault extends Located {
  readonly rule: string
}

export interface Bundles {
  readonly faults: readonly RuleFault[]
  readonly contracts: Readonly<Record<Root, Node>>
}

/**
 * Lints and bundles both documents of the contract with Redocly, unless no file has changed since
 * the last time. A warning, such as a renamed component, counts as a fault.
 */
export async function bundleContracts(spec: string): Promise<Bundles> {
  const files = contractFiles(spec).map((name) => openFile(spec, name))
  const last = lastBundles.get(spec)
  const isUnchanged =
    last?.files.length === files.length && files.every((file, index) => last.files[index] === file)
  if (last && isUnchanged) return last.bundles

  const bundles = lintAndBundle(spec)
  lastBundles.set(spec, { files, bundles })
  return bundles
}

/** Kept, since most changes are of a file beside the contract. */
const lastBundles = new Map<
  string,
  { readonly files: readonly object[]; readonly bundles: Promise<Bundles> }
>()

/**
 * Lints both documents, `openapi.yaml` and `guide.yaml`, and bundles each: joins all files that it
 * refers to into one object.
 */
async function lintAndBundle(spec: string): Promise<Bundles> {
  const config = await loadRules(spec)
  const problems: NormalizedProblem[] = []
  const contracts: Partial<Record<Root, Node>> = {}
  for (const root of ROOTS) {
    const options = { ref: join(spec, `${root}.yaml`), config: config.forAlias(root) }
    problems.push(...(await lint(options)))

    const bundled = await bundle(options)
    problems.push(...bundled.problems)
    contracts[root] = bundled.bundle.parsed as Node
  }
  return { faults: toFaults(spec, problems), contracts: contracts as Record<Root, Node> }
}

/** Lints the Arazzo workflows with Redocly. */
export async function workflowFaults(spec: string, files: readonly string[]): Promise<RuleFault[]> {
  const config = await loadRules(spec)
  const problems = await Promise.all(files.map((file) => lint({ ref: join(spec, file), config })))
  return toFaults(spec, problems.flat())
}

function loadRules(spec: string): Promise<Config> {
  return loadConfig({ configPath: join(spec, 'redocly.yaml') })
}

/**
 * The problems that Redocly reports as faults: each with its line, and with a message that says
 * what to do.
 */
function toFaults(spec: string, problems: readonly NormalizedProblem[]): RuleFault[] {
  const reported = problems.filter(({ ignored }) => !ignored)
  const located = reported.map((problem) => locate(spec, problem))
  const lackingFields = listLackingFields(located)
  const misplacedFields = listMisplacedFields(located, lackingFields)

  const faults: RuleFault[] = []
  for (const problem of located) {
    // The fault of the misplaced field says already where it belongs.
    const lacking = readLackingField(problem)
    if (lacking !== undefined && misplacedFields.has(lacking)) continue

    const { file, pointer, ruleId: rule } = problem
    const { line, col } = findPlace(spec, file, pointer)
    faults.push({ file, line, col, rule, message: translate(problem, lackingFields) })
  }
  return faults
}

/** A problem of Redocly, and where it is. */
interface LocatedProblem extends Pick<NormalizedProblem, 'ruleId' | 'message' | 'suggest'> {
  readonly spec: string
  readonly file: string
  readonly pointer: string
}

function locate(spec: string, problem: NormalizedProblem): LocatedProblem {
  const { ruleId, message, suggest } = problem
  const file = readFileName(spec, problem)
  return { ruleId, message, suggest, spec, file, pointer: readPointer(problem) }
}

/** The name in spec/ of the file with a problem. Without one, it is of the contract as a whole. */
function readFileName(spec: string, { location: [location] }: NormalizedProblem): string {
  if (!location) return 'openapi.yaml'
  return relative(spec, location.source.absoluteRef).replaceAll('\\', '/')
}

/** Redocly points to a repeated operationId by its value. */
function readPointer({ ruleId, location: [location] }: NormalizedProblem): string {
  const pointer = location && 'pointer' in location ? (location.pointer ?? '') : ''
  if (ruleId !== 'operation-operationId-unique') return pointer
  return pointer.replace(/[^/]*$/, 'operationId')
}

/** The names of the fields that Redocly misses in any object, such as `description`. */
function listLackingFields(problems: readonly LocatedProblem[]): Set<string> {
  const names = new Set<string>()
  for (const problem of problems) {
    const name = readLackingField(problem)
    if (name !== undefined) names.add(name)
  }
  return names
}

/** The field of "The field `content` must be present on this level."; undefined of other messages. */
function readLackingField({ message }: LocatedProblem): string | undefined {
  const [, name] = message.match(/^The field `(\w+)` must be present/) ?? []
  return name
}

/**
 * The names of the fields that are indented wrongly: unknown where they stand, and missing in the
 * object above.
 */
function listMisplacedFields(
  problems: readonly LocatedProblem[],
  lackingFields: ReadonlySet<string>,
): Set<string> {
  const names = new Set<string>()
  for (const problem of problems) {
    const holder = UNKNOWN_FIELD.test(problem.message) && findHolder(problem, lackingFields)
    if (holder) names.add(lastStep(problem))
  }
  return names
}

/**
 * The name of the object into which an unknown field belongs, if it is not indented enough: it is then
 * the key before, such as `'200'` for a `description` in the next line. Undefined unless some object of
 * the contract lacks such a field.
 */
function findHolder(
  problem: LocatedProblem,
  lackingFields: ReadonlySet<string>,
): string | undefined {
  const name = lastStep(problem)
  if (!lackingFields.has(name)) return undefined

  const siblings = listKeys(problem, stepsOf(problem.pointer).slice(0, -1))
  const keyBefore = siblings[siblings.indexOf(name) - 1]
  return keyBefore
}

/** The last step of the pointer of a problem; empty for the pointer of a whole file. */
function lastStep({ pointer }: LocatedProblem): string {
  return stepsOf(pointer).at(-1) ?? ''
}

/**
 * The message of this lint for one of Redocly, with the next step. Redocly's own stays if it is none
 * of these.
 */
function translate(problem: LocatedProblem, lackingFields: ReadonlySet<string>): string {
  const { file, message } = problem
  const name = lastStep(problem)
  const value = readValue(problem)

  if (UNKNOWN_FIELD.test(message))
    return `"${name}" is not a field here${adviseOnUnknownField(problem, lackingFields)}`

  if (message.includes('can be one of the following only'))
    return `"${value}" is not a value of ${name}${adviseOnValue(value, message)}`

  const types = message.match(EXPECTED_TYPE)
  if (types) {
    const [, expected = '', got = ''] = types
    return describeWrongType(problem, expected, got)
  }

  const [, requiredName] = message.match(UNDEFINED_REQUIRED) ?? []
  if (requiredName !== undefined)
    return `"required" names ${requiredName}, which is not a property${adviseOnRequired(problem, requiredName)}`

  const lacking = readLackingField(problem)
  if (lacking !== undefined) return `"${name || file}" lacks the field "${lacking}"; add it.`

  const [, repeatedValue] = message.match(REPEATED_VALUE) ?? []
  if (repeatedValue !== undefined)
    return `The enum has "${repeatedValue}" twice; remove one of them.`

  if (message.startsWith('Every operation must have a unique `operationId`'))
    return `Two operations have the operationId "${value}"; rename one of them.`

  return message
}

/** The value in the file that a problem is about. */
function readValue({ spec, file, pointer }: LocatedProblem): unknown {
  return valueAt(readYaml<unknown>(spec, file).value, pointer.replace(/^#/, ''))
}

const UNKNOWN_FIELD = /^Property `.*` is not expected here/
/** OpenAPI's own objects are named before the type of JSON: "`Schema` (object)". */
const EXPECTED_TYPE = /^Expected type `(?:\w+` \()?([^`)]*)[`)]+ but got `(.*)`/
const UNDEFINED_REQUIRED = /^Required property '(.*)' is not defined/
const REPEATED_VALUE = /^Duplicated enum value found: '(.*)'/

/** The end of the message about a value that is none of those that Redocly lists in quotes. */
function adviseOnValue(value: unknown, message: string): string {
  const values = Array.from(message.matchAll(/"([^"]*)"/g), ([, quoted]) => String(quoted))
  return didYouMean(String(value), values, `; write one of ${values.join(', ')}.`)
}

/** The end of the message about a name in `required` that is no property of its schema. */
function adviseOnRequired(problem: LocatedProblem, name: string): string {
  const steps = stepsOf(problem.pointer)
  const schemaSteps = steps.slice(0, steps.indexOf('required'))
  const properties = listKeys(problem, [...schemaSteps, 'properties'])
  return didYouMean(name, properties, '; add it to "properties".')
}

/** The message about a value of another type than OpenAPI expects. */
function describeWrongType(problem: LocatedProblem, expected: string, got: string): string {
  const steps = stepsOf(problem.pointer)
  const isKeywordBelowProperties = steps.at(-2) === 'properties'
  if (isKeywordBelowProperties)
    return `"${steps.at(-1)}" of "properties" must be a schema, got ${got}; indent it like "properties", or correct it.`

  const next = isQuotedNumber(readValue(problem)) ? 'remove the quotes' : 'correct the value'
  // An item of a list is named by the list.
  const name = steps.findLast((step) => !/^\d+$/.test(step))
  return `"${name}" must be ${expected}, got ${got}; ${next}.`
}

function isQuotedNumber(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
}

/**
 * The end of the message about a field that its object does not declare: what was probably meant,
 * and what to do.
 */
function adviseOnUnknownField(problem: LocatedProblem, lackingFields: ReadonlySet<string>): string {
  const holder = findHolder(problem, lackingFields)
  if (holder) return `; indent it below "${holder}".`

  const name = lastStep(problem)
  const objectName = stepsOf(problem.pointer).at(-2)
  if (objectName === 'paths' && !name.startsWith('/')) return `: did you mean /${name}?`
  if (objectName === 'responses') return '; a status has three digits.'

  const [suggestion] = problem.suggest
  if (suggestion) return `: did you mean ${suggestion}?`
  return '; correct its name, indent it, or remove it.'
}

/** The keys of the object to which steps lead in the file of a problem; none if there is no object. */
function listKeys({ spec, file }: LocatedProblem, steps: readonly string[]): string[] {
  let node = readYaml<unknown>(spec, file).value
  for (const step of steps) node = fieldsOf(node)[step]
  return Object.keys(fieldsOf(node))
}
