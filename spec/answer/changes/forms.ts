/** Strings that a service writes in another form than the contract says: `format` and `pattern`. */
import type { Node } from '../../lint/marks.ts'
import { listOperations } from '../../lint/operations.ts'
import { countSightings, type Finding, listPlaces } from '../evidence.ts'
import type { Place } from '../yaml-files.ts'
import {
  type Change,
  type Context,
  changeExamples,
  findReferences,
  isAbout,
  leaveOut,
  moveMark,
  nodeAt,
  placeBelow,
  requirePlace,
} from './change.ts'
import {
  DAY_PATTERN,
  describeForm,
  EMPTY_FORM,
  joinForms,
  patternOfForm,
  patternOfZone,
  rewriteExample,
} from './form-syntax.ts'

/** Strings that are written in another form than the contract says. */
export function formChanges(context: Context): Change[] {
  return listPlaces(context.observed, 'form').flatMap((at) => formChange(context, at))
}

/**
 * The change of the `format` and `pattern` of one string to the forms that were seen. A form is how
 * a string is written, without its content: `uuid`, or `rec_h{32}` for `rec_` and 32 hexadecimal
 * digits. No change if no finding is about the format or the pattern.
 *
 * @param at The pointer of the schema of the string.
 */
function formChange(context: Context, at: string): Change[] {
  const { observed, facts } = context
  const isAboutForm = (finding: Finding) =>
    isAbout(finding, `${at}/format`) || isAbout(finding, `${at}/pattern`)
  if (!observed.findings.some(isAboutForm)) return []

  // How often each form was seen, such as `{ uuid: 30 }`.
  const counts = joinForms(countSightings(observed, at, 'form'))
  const change: Change = {
    says: `${at.split('/').at(-1)} is written as ${describeFormCounts(counts)}.`,
    sentenceAt: requirePlace(context, at),
    explains: isAboutForm,
    apply: () => changeForm(context, at, counts),
  }
  const isFact = facts.has(`${at}/format`) || facts.has(`${at}/pattern`)
  return [isFact ? leaveOut(context, at, change) : change]
}

/** The forms in words, each with how often it was seen. */
function describeFormCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([form, count]) => `${describeForm(form)} (${count} times)`)
    .join(' or ')
}

/**
 * Sets the format and the pattern of a string by the forms that were seen, and rewrites its examples
 * in the most usual form. If requests can have the string too, its examples stay, and its pattern
 * allows both what was declared and what was seen.
 *
 * @param counts How often each form was seen, such as `{ 'date-time -03:00': 30 }`.
 */
function changeForm(context: Context, at: string, counts: Readonly<Record<string, number>>): void {
  const { contract } = context
  const node = requirePlace(context, at)
  const declared = nodeAt(contract, at)
  const forms = Object.keys(counts)
  const keepsFormat = declared.format === commonFormat(forms)
  if (!keepsFormat) dropKeyword(context, node, 'format')
  // The string may no longer be another content in a text, such as a PNG in base64.
  dropKeyword(context, node, 'contentEncoding')
  dropKeyword(context, node, 'contentMediaType')
  removeDecodingChecks(context)

  const pattern = choosePattern(declared, forms)
  if (isInRequests(contract, at)) {
    // What responses show says nothing of what requests may have, so their examples stay too.
    setPattern(context, node, eitherPattern(declared, pattern))
    return
  }

  setPattern(context, node, pattern)
  // Without a pattern, no example is wrong.
  if (pattern !== undefined) changeExamplesToFit(context, at, pattern, findUsualForm(counts))
}

/** The pattern of all forms that were seen; undefined if they have no common one. */
function choosePattern(declared: Node, forms: readonly string[]): string | undefined {
  const format = commonFormat(forms)
  // The format says already how a time is written, so the pattern says only which zone it has.
  const isTimeOfFormat = format === 'date-time' && declared.format === format
  if (isTimeOfFormat) return zonePattern(forms)
  return commonPattern(forms, mayBeEmpty(declared.pattern))
}

/** Rewrites the examples of a string that do not match its pattern, in the form that is usual. */
function changeExamplesToFit(
  context: Context,
  at: string,
  pattern: string,
  usualForm: string,
): void {
  const fits = new RegExp(pattern)
  changeExamples(context, at, (value) =>
    fits.test(String(value)) ? undefined : rewriteExample(value, usualForm),
  )
}

/**
 * Removes the invariants of spec/behaviour that decode the string, such as "the image is a PNG": they
 * are those of the question with a `named` check.
 */
function removeDecodingChecks({ files, question }: Context): void {
  for (const file of files.folder('behaviour')) {
    const invariants: Place = { file, path: ['invariants'] }
    for (const name of files.keys(invariants)) {
      const invariant = placeBelow(invariants, name)
      const isOfQuestion = files.value(placeBelow(invariant, 'question')) === question
      const decodes = files.has(placeBelow(invariant, 'named'))
      if (isOfQuestion && decodes) files.remove(invariant)
    }
  }
}

/** The form that was seen most often, but for empty strings. */
function findUsualForm(counts: Readonly<Record<string, number>>): string {
  const filled = Object.entries(counts).filter(([form]) => form !== EMPTY_FORM)
  const [usual] = filled.toSorted(([, one], [, other]) => other - one)
  return usual?.[0] ?? EMPTY_FORM
}

/** Values of the keyword `format`, and the forms of which each still holds. */
const FORMATS: readonly (readonly [format: string, form: RegExp])[] = [
  ['date-time', /^date-time /],
  ['date', /^full-date$/],
  ['uuid', /^uuid$/],
]

/** The `format` that holds of all forms; undefined if none does. */
function commonFormat(forms: readonly string[]): string | undefined {
  const common = FORMATS.find(([, ofFormat]) => forms.every((form) => ofFormat.test(form)))
  return common?.[0]
}

/** The regular expression of how times end, beside the format `date-time`: `Z$`. */
function zonePattern(forms: readonly string[]): string {
  const zones = [...new Set(forms.map(patternOfZone))]
  return zones.length > 1 ? `(${zones.join('|')})$` : `${zones[0]}$`
}

/** Different forms that one pattern names. With more of them, the form is not known. */
const MAX_FORMS = 3

/**
 * One regular expression for all forms in which a string was seen, such as `^([0-9]{4}|[a-z]{8})?$`
 * for `9{4}`, `a{8}` and empty strings. Undefined if a form has no pattern, or if there are too many
 * of them.
 *
 * @param isEmptyAllowed Whether the contract allows an empty string.
 */
function commonPattern(forms: readonly string[], isEmptyAllowed: boolean): string | undefined {
  const patterns = new Set<string>()
  for (const form of forms) {
    if (form === EMPTY_FORM) continue
    const pattern = patternOfForm(form)
    if (pattern === undefined) return undefined
    patterns.add(pattern)
  }
  if (patterns.size === 0 || patterns.size > MAX_FORMS) return undefined

  const alternatives = [...patterns].join('|')
  const isOptional = isEmptyAllowed || forms.includes(EMPTY_FORM)
  if (isOptional) return `^(${alternatives})?$`
  return patterns.size > 1 ? `^(${alternatives})$` : `^${alternatives}$`
}

function mayBeEmpty(pattern: unknown): boolean {
  return typeof pattern === 'string' && new RegExp(pattern).test('')
}

/**
 * A regular expression of what the contract declares and of what was seen: requests may have
 * either. From `^A$` and `^B$` it is `^A$|^B$`; from `^A$` and `^AB$` it is `^A(B)?$`. Undefined if
 * one of the two has no pattern.
 *
 * @param seen The pattern of all forms that were seen.
 */
function eitherPattern(declared: Node, seen: string | undefined): string | undefined {
  const declaredPattern = readPattern(declared)
  if (declaredPattern === undefined || seen === undefined) return undefined

  const withoutEnd = declaredPattern.replace(/\$$/, '')
  const hasEnd = withoutEnd !== declaredPattern
  const isContinued = hasEnd && seen.startsWith(withoutEnd)
  if (!isContinued) return `${declaredPattern}|${seen}`

  // A time begins with its day: what follows the day is optional.
  const continuation = seen.slice(withoutEnd.length).replace(/\$$/, '')
  return `${withoutEnd}(${continuation})?$`
}

/** The pattern of a schema, or that of its format. */
function readPattern({ pattern, format }: Node): string | undefined {
  if (typeof pattern === 'string') return pattern
  return format === 'date' ? DAY_PATTERN : undefined
}

/** Whether the body of a request can have a value of a schema. */
function isInRequests(contract: Node, schemaAt: string): boolean {
  const targets = new Set<string>()
  for (const { operation } of listOperations(contract))
    addTargets(contract, operation.requestBody, targets)
  return [...targets].some((at) => schemaAt === at || schemaAt.startsWith(`${at}/`))
}

/** Adds the pointers to which the references in a value lead, and those in their targets. */
function addTargets(contract: Node, value: unknown, targets: Set<string>): void {
  for (const at of findReferences(value)) {
    if (targets.has(at)) continue
    targets.add(at)
    addTargets(contract, nodeAt(contract, at), targets)
  }
}

/**
 * Removes a keyword that no longer holds, such as `format`, and makes its mark one of the pattern,
 * which says instead how the string is written.
 */
function dropKeyword(context: Context, node: Place, keyword: string): void {
  const { files } = context
  if (!files.has(placeBelow(node, keyword))) return
  moveMark(context, node, keyword, 'pattern')
  files.remove(placeBelow(node, keyword))
}

/**
 * Sets the pattern of a schema. An undefined pattern removes it, and then the mark of the question
 * moves to the meaning of the value, which is still assumed.
 */
function setPattern(context: Context, node: Place, pattern: string | undefined): void {
  const { files } = context
  const place = placeBelow(node, 'pattern')
  if (pattern === undefined) {
    moveMark(context, node, 'pattern', 'meaning')
    files.removeIfPresent(place)
    return
  }

  if (files.has(place)) files.set(place, pattern)
  else files.add(node, 'pattern', pattern)
}
