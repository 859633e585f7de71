import type { Issue } from './error.ts'
import { escapeHidden } from './escape.ts'
import { HEAD_LENGTH } from './tlv.ts'

/**
 * A sentence for people about an error or an issue: what is wrong with the code, and where. Never
 * contains a value of the code, which may be personal, so it can be shown and logged; the `message`
 * of a {@link BrCodeError} contains one.
 *
 * @example
 * declare const pasted: string
 * const result = tryDecode(pasted, { profile: 'lenient' })
 * if (!result.ok) console.log(explain(result.error))
 */
export function explain(issue: Issue): string {
  return escapeHidden(writeSentence(issue))
}

/** The sentence that explains an issue to a person. */
function writeSentence(issue: Issue): string {
  const { code, path, expected } = issue
  const place = describePlace(issue)
  switch (code) {
    case 'text':
      return 'The code is not a text of whole characters.'
    case 'size':
      return path === ''
        ? 'The code is too long: it may have at most 512 bytes.'
        : tooLong(place, 99)
    case 'structure':
      return explainStructure(issue)
    case 'empty':
      return `${place} is empty: its length is 00.`
    case 'duplicate':
      return `${place} occurs twice: expected ${expected}.`
    case 'order':
      return path === '63' ? `Something stands behind the checksum${atOffset(issue)}.` : NOT_A_CODE
    case 'crc':
      return explainChecksum(issue)
    case 'not-pix':
      return `This is not a Pix code: expected ${expected}.`
    case 'missing':
      return explainAbsence(issue)
    case 'value':
      return explainValue(issue)
    case 'conflict':
      return explainConflict(issue)
  }
}

const NOT_A_CODE = 'This is not a Pix code: it does not begin with 000201.'

/**
 * The sentence about a text that cannot be split into objects: a value is longer than the rest, or
 * an object does not begin with four digits.
 */
function explainStructure(issue: Issue): string {
  // The object as it is in the code, from its id on, such as `5910Fulano` or `59x`.
  const { offset, found = '' } = issue
  const isFirst = offset === 0
  if (isFirst && !found.startsWith('00')) return NOT_A_CODE

  // The digits of its id and its length.
  const [head = ''] = /^\d{0,4}/.exec(found) ?? []
  if (head.length === HEAD_LENGTH) return explainLength(issue)

  const endsInHead = found === head
  if (endsInHead) return `The code is cut: it ends where an object begins${atOffset(issue)}.`
  return `The code was cut or changed, or a length is wrong: no object begins${atOffset(issue)} where one must, with two digits of its id and two of its length.`
}

/** The sentence about an object whose value is longer than the rest. */
function explainLength(issue: Issue): string {
  const { path, found = '' } = issue
  const announced = Number(found.slice(2, HEAD_LENGTH))
  const left = [...found].length - HEAD_LENGTH
  // The id may be two digits of another value, so it has no name here.
  const object = `object ${path}${atOffset(issue)} announces ${announced} characters, and ${left} are left`
  if (path.includes('-')) return `A length is wrong in a template: ${object}.`
  if (path === '63') return `The code is cut in its checksum: ${object}.`
  return `The code is cut, or a length is wrong: ${object}.`
}

/** The sentence about a checksum: no checksum, in lower case, or of another text. */
function explainChecksum(issue: Issue): string {
  const { expected, found = '' } = issue
  const place = describePlace(issue)
  if (!/^[\dA-Fa-f]{4}$/.test(found)) return `${place} is not four hexadecimal digits.`
  if (found.toUpperCase() === expected) return `${place} is in lower case.`
  return `${place} does not fit: the code was changed or cut, or its issuer computed it wrongly.`
}

function explainAbsence(issue: Issue): string {
  if (issue.path === '00') return NOT_A_CODE
  if (issue.path === '63') return 'The code is cut: it does not end with a checksum.'
  return `${describePlace(issue)} is missing: expected ${issue.expected}.`
}

/** The sentence about a value that is too long, or has another form than its object. */
function explainValue(issue: Issue): string {
  const { found = '', expected } = issue
  const maxLength = findKnownObject(issue)?.maxLength
  const isTooLong = maxLength !== undefined && [...found].length > maxLength
  if (isTooLong) return tooLong(describePlace(issue), maxLength)
  return `${describePlace(issue)} is invalid: expected ${expected}.`
}

/** What `encode` expected may contain a value; it has no place in a text. */
function explainConflict(issue: Issue): string {
  const place = describePlace(issue)
  if (issue.offset === undefined) return `${place} contradicts other fields.`
  return `${place} contradicts another object: expected ${issue.expected}.`
}

function tooLong(place: string, maxLength: number): string {
  return `${place} is too long: it may have at most ${maxLength} characters.`
}

function atOffset({ offset }: Issue): string {
  return offset === undefined ? '' : ` at offset ${offset}`
}

/** An object by its name and its place, such as `The amount (object 54, offset 83)`. */
function describePlace(issue: Issue): string {
  const { path, offset } = issue
  const isObject = /^\d\d(-\d\d)?$/.test(path)
  if (!isObject) return `The field ${path}`

  const name = findKnownObject(issue)?.name
  if (name === undefined) return `Object ${path}${atOffset(issue)}`
  return offset === undefined
    ? `The ${name} (object ${path})`
    : `The ${name} (object ${path}, offset ${offset})`
}

interface KnownObject {
  readonly name: string
  /** How many characters it may have. */
  readonly maxLength?: number
}

/**
 * The object of a path, if it has a name. Every template of an account counts as 26, and every one
 * of a recurrence as 80.
 */
function findKnownObject({ path }: Issue): KnownObject | undefined {
  const account = /^(2[6-9]|[34]\d|5[01])(?=-|$)/
  const recurrence = /^[89]\d(?=-|$)/
  return KNOWN_OBJECTS[path.replace(account, '26').replace(recurrence, '80')]
}

const KNOWN_OBJECTS: Readonly<Record<string, KnownObject>> = {
  '00': { name: 'format' },
  '01': { name: 'point of initiation' },
  '26': { name: 'account' },
  '26-01': { name: 'key', maxLength: 77 },
  '26-02': { name: 'message' },
  '26-03': { name: 'withdrawal facilitator' },
  '26-25': { name: 'location' },
  '52': { name: 'category' },
  '53': { name: 'currency' },
  '54': { name: 'amount', maxLength: 13 },
  '58': { name: 'country' },
  '59': { name: 'name', maxLength: 25 },
  '60': { name: 'city', maxLength: 15 },
  '61': { name: 'postal code', maxLength: 10 },
  '62': { name: 'template of the txid' },
  '62-05': { name: 'txid', maxLength: 25 },
  '63': { name: 'checksum' },
  '80': { name: 'recurrence' },
  '80-25': { name: 'location of the recurrence' },
}
