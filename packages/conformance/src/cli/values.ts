import { readList } from '@partner-payments/command'
import { type CheckOptions, selectable } from '../options.ts'
import { GATES } from '../report/summary.ts'
import { requestsValid } from '../traffic.ts'

/** Reads a number without sign and exponent; not a number for any other text. */
export function readNumber(text: string): number {
  return /^\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
}

/**
 * Reads a value of `--only`, such as `money,lists-pages`, and adds it to the earlier ones: names of rules, of
 * their subjects, or of plans.
 *
 * @throws if one is unknown
 */
export function readSelection(text: string, earlier: readonly string[] = []): readonly string[] {
  const names = readList(text)
  const allowed = new Set([...selectable(), requestsValid.id])
  const unknown = names.find((name) => !allowed.has(name))
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is neither a rule, a subject nor a plan; see --list-rules.`)
  return [...earlier, ...names]
}

/**
 * Reads a value of `--min-coverage`: `80%` for all kinds of coverage, or `operations=100%,rows=60%`. Returns
 * the percentage of each kind.
 *
 * @throws if it has another form
 */
export function readCoverage(
  text: string,
  earlier: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const percentages = new Map(earlier)
  for (const item of readList(text)) {
    const { kinds, percent } = readPercentage(item)
    for (const kind of kinds) percentages.set(kind, percent)
  }
  return percentages
}

/** A percentage, alone or with the name of one kind of coverage. */
const PERCENTAGE = /^(?:([a-z]+)=)?(\d{1,3})%?$/
const PERCENTAGE_FORM = 'It must be like 80% or operations=100%,rows=60%.'

/**
 * Reads an item of `--min-coverage`: `operations=100%` gives `{ kinds: ['operations'], percent: 100 }`, and `80%`
 * all kinds. Throws if it has another form, an unknown kind, or more than 100 %.
 */
function readPercentage(item: string): { kinds: readonly string[]; percent: number } {
  const match = PERCENTAGE.exec(item)
  if (!match) throw new Error(PERCENTAGE_FORM)

  const [, kind, digits] = match
  const kinds = kind === undefined ? GATES : [kind]
  const percent = Number(digits)
  const areKindsKnown = kinds.every((name) => GATES.includes(name))
  if (!areKindsKnown || percent > 100) throw new Error(PERCENTAGE_FORM)
  return { kinds, percent }
}

type SetValues = NonNullable<CheckOptions['values']>

/**
 * Reads an item of `--set`, and adds it to the earlier ones: the operation `createTransfer` and the pointer `/amount`
 * of `createTransfer/amount=0.02` give `{ createTransfer: { '/amount': '0.02' } }`. With `:=`, the value is JSON.
 */
export function readSetValue(text: string, earlier: SetValues = {}): SetValues {
  const match = OPERATION_POINTER_VALUE.exec(text)
  if (!match) throw new Error(SET_FORM)

  const [, operation = '', pointer = '', sign, valueText = ''] = match
  const isJson = sign === ':='
  const value = isJson ? parseSetJson(valueText) : valueText
  const earlierOfOperation = earlier[operation]
  return { ...earlier, [operation]: { ...earlierOfOperation, [pointer]: value } }
}

const OPERATION_POINTER_VALUE = /^([^/=]+)(\/[^=]*?)(:?=)(.*)$/s

/** What an item of `--set` must be. */
const SET_FORM = 'It must be OPERATION/POINTER=TEXT or OPERATION/POINTER:=JSON.'

/** Parses the JSON after `:=`, such as `true`. Throws with the form of `--set` if it is none. */
function parseSetJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(SET_FORM)
  }
}
