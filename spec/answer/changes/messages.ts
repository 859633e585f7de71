import { fieldsOf, valueAt } from '@partner-payments/contract'
import { isNode } from '../../lint/marks.ts'
import {
  followReferences,
  listOperations,
  type Operation,
  pointerOfReference,
} from '../../lint/operations.ts'
import { RESPONSES_OF_EVERY_OPERATION } from '../../lint/rules/operation-complete.ts'
import { countSightings, type Finding, listPlaces, onlyWord } from '../evidence.ts'
import type { Place } from '../yaml-files.ts'
import {
  type Change,
  type Context,
  describeCounts,
  listReferrers,
  nodeAt,
  placeBelow,
  requirePlace,
} from './change.ts'

/** Media types and headers of responses that are others than the contract says. */
export function messageChanges(context: Context): Change[] {
  return [...mediaTypeChanges(context), ...headerChanges(context)]
}

function mediaTypeChanges(context: Context): Change[] {
  return listPlaces(context.observed, 'media-type').flatMap((at) => mediaTypeChange(context, at))
}

/**
 * The change of a media type, such as `application/problem+json`, to the only one that was seen. No
 * change (an empty list) if several were seen, or the declared one.
 *
 * @param at The pointer of a `content`, whose keys are media types.
 */
function mediaTypeChange(context: Context, at: string): Change[] {
  const { observed, contract, files } = context
  const counts = countSightings(observed, at, 'media-type')
  const type = onlyWord(counts)
  const declared = Object.keys(nodeAt(contract, at))
  const [old] = declared
  if (type === undefined || old === undefined || declared.includes(type)) return []

  return [
    {
      says: `The media type is ${describeCounts(counts)}.`,
      explains: ({ rule, message }) =>
        rule === 'responses-media-type' || (rule === 'http-problems' && message.includes(old)),
      apply: () => files.rename(placeBelow(requirePlace(context, at), old), type),
    },
  ]
}

/**
 * The changes that make headers of responses optional, since responses came without them. There is
 * one for each name, such as `x-request-id`: it makes the header optional wherever it was absent.
 */
function headerChanges(context: Context): Change[] {
  const { observed } = context
  const headers = listPlaces(observed, 'presence').filter((at) => /\/headers\/[^/]+$/.test(at))
  const absentHeaders = headers.filter((at) => 'absent' in countSightings(observed, at, 'presence'))
  return Array.from(Map.groupBy(absentHeaders, lastStep), ([name, places]) => ({
    says: `The header ${name} may be missing.`,
    explains: ({ rule, message }) => RULES_OF_HEADERS.test(rule) && message.includes(name),
    apply() {
      for (const at of places) makeHeaderOptional(context, at)
    },
  }))
}

/** The rules of HTTP judge headers too. */
const RULES_OF_HEADERS = /^responses-headers$|^http-/

/** Makes a header, or the component that it refers to, optional. */
function makeHeaderOptional(context: Context, at: string): void {
  const { contract, files } = context
  const target = followReferences(contract, nodeAt(contract, at), at)
  const required = placeBelow(requirePlace(context, target.at), 'required')
  if (files.value(required) === true) files.set(required, false)
}

/** The name at the end of a pointer. */
function lastStep(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** The changes of error codes that came with another status than the contract says. */
export function statusChanges(context: Context): Change[] {
  const refusals = listPlaces(context.observed, 'status').filter((at) =>
    at.startsWith('behaviour#/refusals/'),
  )
  return refusals.flatMap((at) => statusChange(context, at))
}

/**
 * The change of the status of an error code, such as `not_found`, to the only one that was seen. No
 * change (an empty list) if several were seen, or if the contract declares several for the code. If
 * the code cannot move by itself, the change edits nothing, and says what a person has to decide.
 *
 * @param at The pointer of the refusal, such as `behaviour#/refusals/not_found`.
 */
function statusChange(context: Context, at: string): Change[] {
  const { observed, behaviour } = context
  const code = lastStep(at)
  const counts = countSightings(observed, at, 'status')
  const to = onlyWord(counts)
  const from = onlyStatus(valueAt(behaviour, `/refusals/${code}/responses`))
  if (to === undefined || from === undefined || from === to) return []

  // A finding of the checker about this names the code, or the status that the contract has.
  const namesCodeOrStatus = new RegExp(`\\b(${code}|${from})\\b`)
  const says = `${code} comes with the status ${describeCounts(counts)}.`
  const explains = ({ message }: Finding) => namesCodeOrStatus.test(message)
  const move = { code, from, to }
  const obstacle = findObstacle(context, move)
  // The code can move without a person's decision.
  if (obstacle === undefined) return [{ says, explains, apply: () => moveRefusal(context, move) }]

  const place = `spec/${context.files.line(findRefusal(context, code))}`
  return [{ says, missing: [`a decision: ${obstacle} (${place})`], explains, apply() {} }]
}

/**
 * Why an error code cannot move to another status without a person's decision: each operation needs a
 * response of its old status; or an operation has no response of the new one, and its response of the
 * old one shows other codes too. Undefined if the code can move.
 */
function findObstacle(context: Context, { code, from, to }: Move): string | undefined {
  if (from in RESPONSES_OF_EVERY_OPERATION) return `each operation must have a response ${from}`

  for (const { id, operation } of listOperationsWith(context, { code, from })) {
    const responses = fieldsOf(operation.responses)
    const canTakeExample = readReference(responses[to]) !== undefined
    const canMoveAsWhole = areAllOfCode(context, readReference(responses[from]), code)
    if (canTakeExample || canMoveAsWhole) continue
    return `${id} has no response ${to} that could have ${code}`
  }
  return undefined
}

/** The place of an error code in spec/behaviour. Throws if it is not declared. */
function findRefusal({ files }: Context, code: string): Place {
  const places = files.folder('behaviour').map((file) => ({ file, path: ['refusals', code] }))
  const place = places.find((candidate) => files.has(candidate))
  if (!place) throw new Error(`spec/behaviour has no refusal ${code}`)
  return place
}

/** The status of the responses with an error code; undefined if there is none or several. */
function onlyStatus(responses: unknown): string | undefined {
  if (!Array.isArray(responses) || responses.length !== 1) return undefined
  return String(responses[0].status)
}

/** A refusal that comes with another status than the contract says. */
interface Move {
  readonly code: string
  readonly from: string
  readonly to: string
}

/**
 * Moves the responses that show an error code from one status to another, at each operation that
 * has them, and corrects the examples of the code.
 */
function moveRefusal(context: Context, move: Move): void {
  const operations = listOperationsWith(context, move)
  for (const { operation, at } of operations)
    moveResponse(context, { at: `${at}/responses`, responses: fieldsOf(operation.responses) }, move)

  // Only once all are moved, since several operations refer to the same response.
  for (const { operation, at } of operations) {
    const source = readReference(fieldsOf(operation.responses)[move.from])
    if (source !== undefined) removeIfEmpty(context, `${at}/responses/${move.from}`, source)
  }
  changeExampleProblems(context, move)
}

/** The operations, and the short paths, that can be refused with a code and a status. */
function listOperationsWith(context: Context, { code, from }: Omit<Move, 'to'>): Operation[] {
  const { contract, guide } = context
  return [...listOperations(contract), ...listOperations(guide)].filter(({ operation }) =>
    hasCode(context, fieldsOf(operation.responses)[from], code),
  )
}

/**
 * Removes a response from an operation if it has no example any more, since all of its codes have
 * moved; and from the contract if then nothing refers to it.
 *
 * @param at Where the operation refers to the response.
 * @param response The pointer of the response itself, such as `/components/responses/NotFound`.
 */
function removeIfEmpty(context: Context, at: string, response: string): void {
  const { files } = context
  const declared = files.findPlace(response)
  if (!declared || !files.has(declared)) return

  const hasExamples = files.keys(placeOfExamples(context, response)).length > 0
  const place = files.findPlace(at)
  if (!hasExamples && place) files.removeIfPresent(place)
  removeUnused(context, response)
}

/** Sets the new status, and the title that goes with it, in all examples that show an error code. */
function changeExampleProblems(context: Context, { code, to }: Move): void {
  const { files } = context
  for (const pointer of findExamples(context, code)) {
    const problem = files.findPlace(`${pointer}/value`)
    if (!problem) continue

    const status = placeBelow(problem, 'status')
    const title = placeBelow(problem, 'title')
    if (files.has(status)) files.set(status, Number(to))
    if (files.has(title)) files.set(title, titleOfStatus(context, to))
  }
}

/** The responses of an operation by their statuses. */
interface Responses {
  readonly at: string
  readonly responses: Readonly<Record<string, unknown>>
}

/** Moves what one operation declares for an error code to another status. */
function moveResponse(context: Context, { at, responses }: Responses, move: Move): void {
  const { files } = context
  const { code, from, to } = move
  const place = requirePlace(context, `${at}/${from}`)
  const source = readReference(responses[from])
  const target = readReference(responses[to])
  // Without a response of that status, the whole response moves: it shows only this code then
  // (`findObstacle`).
  if (target === undefined) {
    files.rename(place, to)
    return
  }

  const examples = Object.entries(listExamples(context, source))
  const examplesOfCode = examples.filter(([, example]) => readCode(context, example) === code)
  const names = examplesOfCode.map(([name]) => name)
  copyExamples(context, names, source, target)

  // The old response stays for its other codes.
  const hasOtherCodes = !areAllOfCode(context, source, code)
  if (hasOtherCodes) {
    removeExamples(context, names, source)
    return
  }

  if (files.has(place)) files.remove(place)
}

/** Whether all examples of a response show one code. */
function areAllOfCode(context: Context, response: string | undefined, code: string): boolean {
  const examples = Object.values(listExamples(context, response))
  return examples.every((example) => readCode(context, example) === code)
}

/**
 * Copies examples from one response (`source`) to another, by their names and references, such as
 * `not_found: { $ref: … }`. Leaves out those that the other has already.
 */
function copyExamples(
  context: Context,
  names: readonly string[],
  source: string | undefined,
  target: string,
): void {
  const { files } = context
  for (const name of names) {
    const example = placeBelow(placeOfExamples(context, source), name)
    const ref = files.value(placeBelow(example, '$ref'))
    const examples = placeOfExamples(context, target)
    const isThere = files.has(placeBelow(examples, name))
    if (ref !== undefined && !isThere) files.add(examples, name, { $ref: ref })
  }
}

/** Removes examples from a response, by their names. */
function removeExamples(
  context: Context,
  names: readonly string[],
  response: string | undefined,
): void {
  for (const name of names)
    context.files.removeIfPresent(placeBelow(placeOfExamples(context, response), name))
}

/** The place of the examples of a response, below its first media type as the file has it now. */
function placeOfExamples(context: Context, response: string | undefined): Place {
  const content = requirePlace(context, `${response}/content`)
  const [mediaType = ''] = context.files.keys(content)
  return placeBelow(content, mediaType, 'examples')
}

/** Removes a response from the contract if no operation has it any more: the lint reports unused parts. */
function removeUnused(context: Context, response: string): void {
  const { files } = context
  const isUsed = listReferrers(context, response).length > 0
  const place = files.findPlace(response)
  if (!isUsed && place) files.removeIfPresent(place)
}

/** Whether an example of a response shows the code. */
function hasCode(context: Context, response: unknown, code: string): boolean {
  const pointers = Object.values(listExamples(context, readReference(response)))
  return pointers.some((pointer) => readCode(context, pointer) === code)
}

/** The pointer that a response or an example refers to; undefined if it is written out. */
function readReference(node: unknown): string | undefined {
  const ref = isNode(node) ? node.$ref : undefined
  return typeof ref === 'string' ? pointerOfReference(ref) : undefined
}

/**
 * The pointers of the examples of a response, by their names:
 * `{ not_found: '/components/examples/NotFound' }`. Empty if there is no response.
 */
function listExamples({ contract }: Context, response: string | undefined): Record<string, string> {
  if (response === undefined) return {}
  const [media] = Object.values(nodeAt(contract, `${response}/content`))
  const { examples } = fieldsOf(media)
  const pointers: Record<string, string> = {}
  for (const [name, example] of Object.entries(fieldsOf(examples))) {
    if (!isNode(example)) continue
    // An example that is written out has no pointer: by an empty one, `readCode` finds no code.
    pointers[name] = readReference(example) ?? ''
  }
  return pointers
}

function readCode({ contract }: Context, example: string): unknown {
  return valueAt(contract, `${example}/value/code`)
}

/** The pointers of all examples that show a code. */
function findExamples(context: Context, code: string): string[] {
  const names = Object.keys(nodeAt(context.contract, '/components/examples'))
  const pointers = names.map((name) => `/components/examples/${name}`)
  return pointers.filter((pointer) => readCode(context, pointer) === code)
}

/**
 * The title for problem details of a status, such as `Not Found`: that of the first example with the
 * status, or else `Status 404`.
 */
function titleOfStatus({ contract }: Context, status: string): string {
  for (const example of Object.values(nodeAt(contract, '/components/examples'))) {
    const value = fieldsOf(fieldsOf(example).value)
    if (value.status === Number(status) && typeof value.title === 'string') return value.title
  }
  return `Status ${status}`
}
